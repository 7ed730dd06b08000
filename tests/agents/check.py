#!/usr/bin/env python3
"""Whether agents go on with the files that logwood writes for them: their own code lists each file, opens it
and sees the messages that logwood says are on that path.

    check.py PROGRAM FOLDER [--table FILE]

PROGRAM is logwood; FOLDER is where `install` puts the agents, and it is run first. Every sample of every format
is continued in pi, Claude Code and Codex. What each of them then sees, by the code that it resumes sessions
with, is held against `logwood context` of the sample, part by part: what was said and by whom, the calls of
tools, their results, and pictures. Of Codex it is what the model is sent for a turn more.

With LOGWOOD_BUDGET_S only the samples that have something to lose are tried. --table writes what each pair
keeps into docs/agents.md, between its two marks; otherwise the page is compared with it.
"""
import argparse
import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SAMPLES = HERE / "samples"
PAGE = HERE.parent.parent / "docs/agents.md"
BEGIN, END = "<!-- kept: written by tests/agents/check.py -->\n", "<!-- end -->\n"
AGENTS = {"pi": "pi", "claude": "Claude Code", "codex": "Codex"}
SOURCES = AGENTS | {"openclaw": "OpenClaw", "gemini": "Gemini CLI", "opencode": "opencode", "chat": "plain chats"}
HAVE_DOCUMENTS = {"gemini", "opencode", "chat"}  # and not only lines
NO_SESSIONS = {"session_index.jsonl", "sessions.json", "compressed-set-messages.loaded.json"}
IN_SHORT = {"pi/tools-thinking-image", "pi/compacted-twice", "pi/branched", "claude/linear-tools-thinking-image",
            "claude/compacted", "claude/corrupt-line-on-path", "codex/legacy-linear-resume",
            "codex/legacy-compacted-image-rollout", "gemini/linear-tools-thoughts-image",
            "opencode/sqlite-1.18.33/export"}
NOT_SAID = ("<environment_context>", "<permissions instructions>", "<skills_instructions>", "<user_instructions>")
Part = collections.namedtuple("Part", "kind text")


def run(command, **options):
    done = subprocess.run([str(word) for word in command], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=180, **options)
    if done.returncode:
        raise AssertionError(f"{command[0]} {command[1]}: {done.stdout.strip()} {done.stderr.strip()}")
    return done.stdout


def texts_in(content):
    """The text of a tool's answer."""
    if isinstance(content, str):
        return content
    return "\n".join(block.get("text", "") for block in content or [] if isinstance(block, dict) and "text" in block)


def of_blocks(role, content):
    """What blocks say, in the shapes of Anthropic, pi and OpenAI."""
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    for block in content or []:
        kind = block.get("type")
        if kind in ("text", "input_text", "output_text"):
            if block["text"].strip():
                yield Part(role, block["text"])
        elif kind in ("image", "input_image"):
            yield Part("image", "")
        elif kind in ("tool_use", "toolCall"):
            yield Part("call", block["name"])
        elif kind == "tool_result":
            yield Part("result", texts_in(block.get("content")))
        elif kind in ("thinking", "redacted_thinking"):
            yield Part("thinking", "")


def of_gemini(role, part):
    """What a part of Gemini's API says."""
    if part.get("thought"):
        yield Part("thinking", "")
    elif part.get("text", "").strip():
        yield Part(role, part["text"])
    elif "inlineData" in part:
        yield Part("image", "")
    elif "functionCall" in part:
        yield Part("call", part["functionCall"]["name"])
    elif "functionResponse" in part:
        yield Part("result", part["functionResponse"]["response"].get("output", ""))


def of_message(message):
    """The parts of a message in any of the shapes that agents keep."""
    role, kind = message.get("role"), message.get("type")
    if kind == "function_call" or kind == "custom_tool_call":
        return [Part("call", message["name"])]
    if kind in ("function_call_output", "custom_tool_call_output"):
        return [Part("result", texts_in(message["output"]))]
    if kind == "reasoning":
        return [Part("thinking", "")]
    if role == "toolResult":
        return [Part("result", texts_in(message["content"]))] + \
            [part for part in of_blocks("user", message["content"]) if part.kind == "image"]
    if role == "bashExecution":
        return [Part("user", f"Ran `{message['command']}`\n```\n{message['output']}\n```")]
    if role == "tool":
        return [Part("result", texts_in(message["content"]))]
    if "parts" in message:
        return [part for one in message["parts"] for part in of_gemini("user" if role == "user" else "assistant", one)]
    if role in ("compactionSummary", "branchSummary"):
        return [Part("summary", message["summary"])]
    if role in ("user", "assistant", "custom", "hookMessage"):
        said = list(of_blocks(role if role in ("user", "assistant") else "user", message.get("content")))
        said += [Part("call", call["function"]["name"]) for call in message.get("tool_calls", [])]
        return [part for part in said if not part.text.startswith(NOT_SAID)]
    return []


def expected(program, sample, environment):
    """What logwood says a model sees, and how often each kind of thing stands there."""
    parts = []
    for line in run([program, "context", sample, "--json"], env=environment).split("\n")[:-1]:
        message = json.loads(line)
        if message["type"] == "message":
            parts += of_message(message["payload"])
        else:
            kind = "summary" if message["type"] == "compaction_summary" else "branch"
            parts.append(Part(kind, message["payload"]["summary"]))
    return parts


def seen_by_pi(folder, done):
    listed = json.loads(run(["node", HERE / "pi.mjs", folder, "list-all", pathlib.Path(done["file"]).parent.parent]))
    assert any(one["id"] == done["agentSessionId"] for one in listed), "pi does not list it"
    opened = json.loads(run(["node", HERE / "pi.mjs", folder, "open", done["file"]]))
    grown = json.loads(run(["node", HERE / "pi.mjs", folder, "append", done["file"], "go on"]))
    assert grown["parentId"] == opened["leaf"], "pi does not go on at the end"
    return [part for message in opened["context"] for part in of_message(message)]


def seen_by_claude(folder, done):
    home = pathlib.Path(done["file"]).parents[2]
    ask = ["node", HERE / "claude.mjs", folder]
    environment = os.environ | {"CLAUDE_CONFIG_DIR": str(home)}
    listed = json.loads(run(ask + ["list", done["cwd"]], env=environment))
    assert any(one["sessionId"] == done["agentSessionId"] for one in listed), "Claude Code does not list it"
    messages = json.loads(run(ask + ["messages", done["agentSessionId"], done["cwd"]], env=environment))
    return [part for line in messages if line.get("message") for part in of_message(line["message"])]


def seen_by_codex(folder, done):
    home = pathlib.Path(done["file"]).parents[4]
    answer = json.loads(run([sys.executable, HERE / "codex.py", folder, home, done["agentSessionId"], "--turn", "go on"]))
    assert any(one["id"] == done["agentSessionId"] for one in answer["threads"]), "Codex does not list it"
    parts = [part for item in answer["input"] for part in of_message(item)]
    return parts[:-1]  # the turn itself


SEEN_BY = {"pi": seen_by_pi, "claude": seen_by_claude, "codex": seen_by_codex}


def comparable(parts):
    """Without thinking, which is told apart, and with summaries as what they are for a model: text."""
    return [(("user" if part.kind in ("summary", "branch") else part.kind), part.text.strip()) for part in parts
            if part.kind != "thinking"]


def same(wanted, got):
    """A summary may be told with words around it, and a call that was never answered be answered by the agent."""
    unanswered = sum(kind == "call" for kind, _ in wanted) - sum(kind == "result" for kind, _ in wanted)
    while unanswered > 0 and len(got) > len(wanted) and got[-1][0] == "result":
        got, unanswered = got[:-1], unanswered - 1
    if len(wanted) != len(got):
        return False
    return all(a[0] == b[0] and (a[1] == b[1] or (a[0] == "user" and a[1] in b[1])) for a, b in zip(wanted, got))


def share(kept, there):
    return "–" if there == 0 else f"{kept} of {there}"


class Kept:
    """What of a source's samples came through to a target."""

    def __init__(self):
        self.there, self.lost = collections.Counter(), collections.Counter()

    def note(self, wanted, got):
        had, has = (collections.Counter(part.kind for part in parts) for parts in (wanted, got))
        for kind in ("user", "assistant", "call", "result", "thinking", "image"):
            self.there[kind] += had[kind]
            self.lost[kind] += max(0, had[kind] - has[kind])

    def cell(self, *kinds):
        there = sum(self.there[kind] for kind in kinds)
        lost = sum(self.lost[kind] for kind in kinds)
        return share(there - lost, there)


def refuse_empty(program, sample, target, environment):
    """Nothing was said, so there is nothing to go on with."""
    done = subprocess.run([program, "continue", sample, "--in", target], env=environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert done.returncode == 1 and "nothing was said" in done.stderr, "a session without messages is written"


def samples(in_short):
    for source in SOURCES:
        endings = (".jsonl", ".json") if source in HAVE_DOCUMENTS else (".jsonl",)
        for path in sorted((SAMPLES / source).rglob("*.json*")):
            name = path.relative_to(SAMPLES).with_suffix("")
            is_session = path.suffix in endings and path.name not in NO_SESSIONS and "storage" not in name.parts
            if is_session and (not in_short or str(name) in IN_SHORT):
                yield source, name, path


def table(kept, compactions, branches):
    rows = ["| from | in | messages | tool calls and results | thinking | images | compactions | branches |",
            "|---|---|---|---|---|---|---|---|"]
    for (source, target), one in kept.items():
        if source == target:
            continue
        rows.append(f"| {SOURCES[source]} | {AGENTS[target]} | {one.cell('user', 'assistant')} | "
                    f"{one.cell('call', 'result')} | {one.cell('thinking')} | {one.cell('image')} | "
                    f"{share(*compactions[source, target])} | {share(*branches[source, target])} |")
    return "\n".join(rows) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("--table", action="store_true")
    given = parser.parse_args()
    program, folder = pathlib.Path(given.program).resolve(), pathlib.Path(given.folder).resolve()
    subprocess.run([HERE / "install", folder], check=True)
    in_short = "LOGWOOD_BUDGET_S" in os.environ
    kept = collections.defaultdict(Kept)
    compactions, branches = (collections.defaultdict(lambda: [0, 0]) for _ in range(2))
    failures, tried = [], 0
    for source, name, sample in samples(in_short):
        for target in AGENTS:
            with tempfile.TemporaryDirectory() as home:
                environment = {"PATH": os.environ["PATH"], "HOME": home}
                work = pathlib.Path(home, "work")
                work.mkdir()
                copy = pathlib.Path(home, ".openclaw" if source == "openclaw" else "", sample.name)
                copy.parent.mkdir(exist_ok=True)  # an agent may change what it opens
                shutil.copy(sample, copy)
                for beside in sample.parent.glob("*.jsonl"):  # what a fork goes on from
                    if beside.name.startswith("rollout-"):
                        shutil.copy(beside, pathlib.Path(home, beside.name))
                tried += 1
                try:
                    wanted = expected(program, copy, environment)
                    if not wanted and source == target:
                        continue
                    if not wanted:
                        refuse_empty(program, copy, target, environment)
                        continue
                    words = [program, "continue", copy, "--in", target, "--cwd", work, "--json"]
                    if source == target:
                        words += ["--tip", "~0"]  # else it is the file that is there already
                    done = json.loads(run(words, env=environment, cwd=work))
                    got = SEEN_BY[target](folder, done)
                    kept[source, target].note(wanted, got)
                    summaries = sum(part.kind == "summary" for part in wanted)
                    compactions[source, target][0] += min(summaries, done["compactions"])
                    compactions[source, target][1] += summaries
                    branches[source, target][0] += 1
                    branches[source, target][1] += 1 + done.get("branchesLeft", 0)
                    if not same(comparable(wanted), comparable(got)):
                        failures.append(f"{name} in {target}:\n  wanted {comparable(wanted)}\n  sees   {comparable(got)}")
                except AssertionError as error:
                    failures.append(f"{name} in {target}: {error}")
    print("\n".join(failures) or "", end="\n" if failures else "")
    if not in_short and not failures:
        text = table(kept, compactions, branches)
        page = PAGE.read_text()
        before, rest = page.split(BEGIN)
        after = rest.split(END)[1]
        made = before + BEGIN + text + END + after
        if given.table:
            PAGE.write_text(made)
        elif made != page:
            failures.append("docs/agents.md")
            print("docs/agents.md says something else; --table writes it anew")
    print(f"{tried - len(failures)} of {tried} files are gone on with by the agents themselves")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
