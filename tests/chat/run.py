#!/usr/bin/env python3
"""examples/chat against a server that is as strict as the providers: turns with tools, a switch of the
provider every ten turns, kill -9 in the middle of a stream, of a tool and of an append.

usage: run.py CHAT LOGWOOD

Every session must resume and no request be refused. LOGWOOD_BUDGET_S makes it a short run.
"""
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import urllib.request

HERE = pathlib.Path(__file__).parent
MODELS = ("anthropic:claude-opus-5-5", "openai:gpt-4.1", "gemini:gemini-3.1-pro-preview")
MOMENTS = ("stream", "tool", "append")


class Chat:
    """A process that is started again whenever it was killed."""

    def __init__(self, program, store, port):
        self.command = [program, "--store", store, "--key", "test:chat:me", "--yes", "--model", MODELS[0]]
        self.surroundings = dict(os.environ, ANTHROPIC_BASE_URL=f"http://127.0.0.1:{port}",
                                 OPENAI_BASE_URL=f"http://127.0.0.1:{port}/v1", GEMINI_BASE_URL=f"http://127.0.0.1:{port}")
        self.process = None
        self.starts = 0
        self.restored = 0

    def start(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=self.surroundings)
        self.starts += 1

    def say(self, line):
        """Sends a line and waits until it is dealt with. False when the process died of it."""
        try:
            self.process.stdin.write(f"{line}\n/sync\n".encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            pass
        return self.wait()

    def wait(self):
        # The program answers a command it does not know with a list of those it knows.
        for line in self.process.stdout:
            if line.startswith(b"Restored:"):
                self.restored += 1
            if line.startswith(b"(no answer"):
                print(line.decode().rstrip())
            if line.startswith(b"/new /sessions"):
                return True
        self.process.wait()
        return False

    def end(self):
        self.process.stdin.close()
        self.process.stdout.read()
        return self.process.wait()


def messages(logwood, store):
    """What the model would see, in order."""
    listed = subprocess.run([logwood, "context", "@last", "--json", "--store", store], capture_output=True, text=True, check=True)
    return [json.loads(line)["payload"] for line in listed.stdout.splitlines()]


def said_by_user(payloads, text):
    return sum(payload.get("role") == "user" and payload.get("content") == text for payload in payloads)


def main():
    chat_program, logwood = sys.argv[1:3]
    budget = os.environ.get("LOGWOOD_BUDGET_S")
    turns = 40 if budget else 200
    kills_each = 6 if budget else 50
    chance = random.Random(1)
    killing = [moment for moment in MOMENTS for _ in range(kills_each)]
    chance.shuffle(killing)
    server = subprocess.Popen(["node", HERE / "server.mjs"], stdout=subprocess.PIPE, text=True)
    try:
        sys.exit(converse(server, chat_program, logwood, turns, killing, chance))
    finally:
        server.kill()


def converse(server, chat_program, logwood, turns, killing, chance):
    port = int(server.stdout.readline())
    failures = []
    died = dict.fromkeys(MOMENTS, 0)
    with tempfile.TemporaryDirectory() as folder:
        store = f"{folder}/store"
        chat = Chat(chat_program, store, port)
        chat.start()
        for turn in range(1, turns + 1):
            if turn % 10 == 1:
                chat.say(f"/model {MODELS[turn // 10 % len(MODELS)]}")
            moments = [killing.pop() for _ in range(len(killing) // (turns - turn + 1))]
            text = f"question {turn}"
            if "tool" in moments or turn % 3 == 0:
                # The first time it runs, it may end the program that runs it.
                once = f"{folder}/turn{turn}"
                ending = f"test -e {once} || {{ touch {once}; kill -9 $PPID; sleep 1; }}; " if "tool" in moments else ""
                text = f"tool: {ending}echo result of turn {turn}"
            arm(chat, port, moments, chance)
            lives = chat.say(text)
            while not lives:
                for moment in MOMENTS:  # which one it was shows in what is left of the list
                    if moment in moments:
                        moments.remove(moment)
                        died[moment] += 1
                        break
                chat.start()
                arm(chat, port, moments, chance)
                lives = chat.say("")
                if lives and said_by_user(messages(logwood, store), text) == 0:
                    lives = chat.say(text)  # it died before the question was stored
            if said_by_user(messages(logwood, store), text) != 1:
                failures.append(f"turn {turn}: the question is there {said_by_user(messages(logwood, store), text)} times")
        if chat.end() != 0:
            failures.append("the program did not end well")
        seen = messages(logwood, store)
        if subprocess.run([logwood, "verify", "--store", store], stdout=subprocess.DEVNULL, check=False).returncode != 0:
            failures.append("the session does not verify")
        if chat.restored != chat.starts - 1:
            failures.append(f"{chat.starts - 1} starts after a kill, {chat.restored} times restored")
    server.send_signal(signal.SIGTERM)
    refused = [line.rstrip() for line in server.stdout]
    for failure in failures + refused:
        print(failure)
    print(f"chat: {turns} turns, {len(seen)} messages, {turns // 10 - 1} switches of the provider, "
          f"killed {died['stream']} times in a stream, {died['tool']} in a tool, {died['append']} near an append, "
          f"{len(refused)} requests refused, {len(failures)} failures")
    return bool(failures or refused)


def arm(chat, port, moments, chance):
    """Tells the server to end the program at its next answer."""
    for moment in ("stream", "append"):
        if moment in moments and "tool" not in moments:
            order = {"pid": chat.process.pid, "moment": moment, "after_us": chance.randrange(0, 3000)}
            urllib.request.urlopen(f"http://127.0.0.1:{port}/kill", data=json.dumps(order).encode()).read()
            return


if __name__ == "__main__":
    main()
