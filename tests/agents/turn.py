#!/usr/bin/env python3
"""One turn of a whole agent in a session that it finds in its files, and what the model is sent for it.

    turn.py FOLDER pi FILE TEXT
    turn.py FOLDER claude CLAUDE_CONFIG_DIR SESSION_ID CWD TEXT

FOLDER is where `install` put the agents. Prints one line of JSON:

    model, messages    of the request that the agent made: what the model sees of the session
    answer             what the agent printed, thus the answer to TEXT
    error              what the agent said when it ended badly or asked no model; then the exit status is 1

The agent runs where there is no network but the loopback, on which a model of this test listens. Its files
are those of the test, and it writes the turn into them. Claude Code runs in CWD; pi in the working folder
that FILE names, which must be there. For Codex, see codex.py.
"""
import argparse
import json
import pathlib
import subprocess
import sys

import isolated
from messages_server import MessagesServer
from processes import Ended, end_by_signals

LIMIT_S = 60
KEY = "made-up"  # nobody checks it


def pi(folder, user_home, port, file, text):
    # Its only provider is the one that it has a key for, whichever the session names.
    providers = {"anthropic": {"baseUrl": f"http://127.0.0.1:{port}"}}
    (user_home / "models.json").write_text(json.dumps({"providers": providers}))
    modules = folder / "node_modules"
    command = [modules / "node/bin/node", modules / "@earendil-works/pi-coding-agent/dist/bundle/cli.js", "--print",
               "--session", pathlib.Path(file).resolve(strict=True), "--", text]
    variables = {"PI_CODING_AGENT_DIR": str(user_home), "PI_OFFLINE": "1", "ANTHROPIC_API_KEY": KEY}
    return command, variables, user_home


def claude(folder, _, port, config_dir, session_id, cwd, text):
    found = sorted(folder.glob("node_modules/@anthropic-ai/claude-agent-sdk-*/claude"))
    if not found:
        raise OSError(f"there is no claude in {folder}: run tests/agents/install")
    variables = {"CLAUDE_CONFIG_DIR": str(pathlib.Path(config_dir).resolve(strict=True)), "ANTHROPIC_API_KEY": KEY,
                 "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{port}", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}
    return [found[0], "--print", "--resume", session_id, "--", text], variables, cwd


AGENTS = {"pi": pi, "claude": claude}


def take_turn(agent, folder, given):
    with isolated.home() as user_home, MessagesServer() as model:
        command, variables, cwd = AGENTS[agent](folder, user_home, model.port, *given)
        process = isolated.start(command, user_home, variables, cwd=cwd, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
        try:
            printed, complaints = process.communicate(timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            return {"error": f"{agent} does not end within {LIMIT_S} s"}
        finally:
            isolated.end(process, patience_s=0)
        if process.returncode != 0 or not model.requests:
            return {"error": (complaints or printed).strip()[-2000:] or f"{agent} exits with {process.returncode}"}
        asked = model.requests[0]
        return {"model": asked["model"], "messages": asked["messages"], "answer": printed.strip()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("agent", choices=AGENTS)
    parser.add_argument("given", nargs="+")
    args = parser.parse_args()
    if len(args.given) != {"pi": 2, "claude": 4}[args.agent]:
        parser.error("wrong number of arguments")
    isolated.leave_network()
    end_by_signals()
    try:
        seen = take_turn(args.agent, args.folder, args.given)
    except OSError as error:
        seen = {"error": str(error)}
    except Ended as ended:
        sys.exit(128 + ended.number)
    print(json.dumps(seen))
    sys.exit("error" in seen)


if __name__ == "__main__":
    main()
