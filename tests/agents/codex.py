#!/usr/bin/env python3
"""What Codex makes of session files: its own app-server, on a folder that is laid out as CODEX_HOME.

    codex.py FOLDER CODEX_HOME [THREAD_ID [--turn TEXT]] [--provider NAME]

FOLDER is where `install` put the agents. Codex resumes a thread only if its file names the provider that
is configured, or none. That is openai here, as it is for who configures nothing; --provider makes it
another one.

Prints one line of JSON:

    threads    what thread/list gives, newest first, of every source and provider, without those archived
    archived   those
    thread     what thread/resume gives for THREAD_ID, with its turns and their items
    model      with --turn: the model that it asked
    input      with --turn: the items that it sent to the model, thus what the model sees of the thread
    answer     with --turn: what the thread got from the model
    error      what Codex refused, and why; then the exit status is 1

Codex runs where there is no network but the loopback, on which a model of this test listens. It needs
neither a key nor a configuration, and finds neither those of the user. It does write into CODEX_HOME: its
databases, and with --turn the turn.
"""
import argparse
import json
import pathlib
import queue
import subprocess
import sys
import threading
import time

import isolated
from processes import Ended, end_by_signals
from responses_server import ResponsesServer

ANSWER_LIMIT_S = 60
SOURCES = ["cli", "vscode", "exec", "appServer", "subAgent", "unknown"]


class Refused(Exception):
    """Codex answered with an error, or not at all."""


def program(folder):
    """The program itself: the script of the package would stand between us and it."""
    found = sorted(pathlib.Path(folder).glob("node_modules/@openai/codex-*/vendor/*/bin/codex"))
    if not found:
        raise Refused(f"there is no codex in {folder}: run tests/agents/install")
    return found[0].resolve()


class AppServer:
    """Codex, asked over its standard input. Ends with this process."""

    def __init__(self, codex, codex_home, user_home, provider, port):
        address = f"http://127.0.0.1:{port}/v1"
        settings = {
            "model_provider": provider,
            "features.plugins": False,  # it would be looking for them on the network for 5 s when it ends
        }
        if provider == "openai":
            settings["openai_base_url"] = address
        else:
            settings[f"model_providers.{provider}.name"] = "the model of this test"
            settings[f"model_providers.{provider}.base_url"] = address
        command = [codex, "app-server"]
        for name, value in settings.items():
            command += ["-c", f"{name}={json.dumps(value)}"]
        self.complaints = open(user_home / "stderr", "w+", encoding="utf-8", errors="replace")
        self.process = isolated.start(command, user_home, {"CODEX_HOME": str(codex_home), "RUST_LOG": "error"},
                                      cwd=user_home, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      stderr=self.complaints)
        self.heard = queue.Queue()
        self.asked = 0
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        for line in self.process.stdout:
            self.heard.put(json.loads(line))
        self.heard.put(None)

    def _tell(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def wait_for(self, what, wanted):
        """The next message that is wanted; requests of Codex meanwhile are declined."""
        until = time.monotonic() + ANSWER_LIMIT_S
        while True:
            try:
                message = self.heard.get(timeout=max(0, until - time.monotonic()))
            except queue.Empty:
                raise Refused(f"{what}: nothing within {ANSWER_LIMIT_S} s") from None
            if message is None:
                raise Refused(f"{what}: codex ended: {self._last_complaint()}")
            if "method" in message and "id" in message:
                self._tell({"id": message["id"], "error": {"code": -32601, "message": "this is a test"}})
            elif wanted(message):
                return message

    def _last_complaint(self):
        self.complaints.seek(0)
        return self.complaints.read()[-2000:].strip()

    def ask(self, method, **params):
        self.asked += 1
        number = self.asked
        try:
            self._tell({"id": number, "method": method, "params": params})
        except BrokenPipeError:
            pass  # what it said at its end is still to be read
        answer = self.wait_for(method, lambda message: message.get("id") == number)
        if "error" in answer:
            raise Refused(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def tell_initialized(self):
        self._tell({"method": "initialized"})

    def end(self):
        """Lets it write what it still has to."""
        self.process.stdin.close()
        isolated.end(self.process)
        self.complaints.close()


def all_threads(server, archived):
    threads, cursor = [], None
    while True:
        page = server.ask("thread/list", limit=100, cursor=cursor, archived=archived, modelProviders=[],
                          sourceKinds=SOURCES)
        threads += page["data"]
        cursor = page.get("nextCursor")
        if not cursor:
            return threads


def turn(server, model, thread, text):
    """One turn in the thread: the model, what it was sent, and what the thread got."""
    said = []
    server.ask("turn/start", threadId=thread, input=[{"type": "text", "text": text}])

    def is_end(message):
        params = message.get("params", {})
        if message.get("method") == "item/completed" and params.get("item", {}).get("type") == "agentMessage":
            said.append(params["item"]["text"])
        return message.get("method") == "turn/completed"

    ended = server.wait_for("turn", is_end)["params"]["turn"]
    if ended["status"] != "completed":
        raise Refused(f"turn: {ended['status']}: {(ended.get('error') or {}).get('message')}")
    return model.requests[0]["model"], model.requests[0]["input"], said


def look(server, model, args, seen):
    server.ask("initialize", clientInfo={"name": "logwood-tests", "version": "1"},
               capabilities={"experimentalApi": True})
    server.tell_initialized()
    seen["threads"] = all_threads(server, archived=False)
    seen["archived"] = all_threads(server, archived=True)
    if args.thread_id:
        seen["thread"] = server.ask("thread/resume", threadId=args.thread_id)["thread"]
    if args.turn is not None:
        seen["model"], seen["input"], seen["answer"] = turn(server, model, args.thread_id, args.turn)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("codex_home")
    parser.add_argument("thread_id", nargs="?")
    parser.add_argument("--turn")
    parser.add_argument("--provider", default="openai")
    args = parser.parse_args()
    if args.turn is not None and not args.thread_id:
        parser.error("--turn needs a THREAD_ID")
    isolated.leave_network()
    end_by_signals()
    seen = {}
    try:
        codex_home = pathlib.Path(args.codex_home).resolve(strict=True)
        with isolated.home() as user_home, ResponsesServer() as model:
            server = AppServer(program(args.folder), codex_home, user_home, args.provider, model.port)
            try:
                look(server, model, args, seen)
            finally:
                server.end()
    except (Refused, OSError) as error:
        seen["error"] = str(error)
    except Ended as ended:
        sys.exit(128 + ended.number)
    print(json.dumps(seen))
    sys.exit("error" in seen)


if __name__ == "__main__":
    main()
