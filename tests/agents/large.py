#!/usr/bin/env python3
"""Sessions of Codex that grew without bound, as people have reported them (files of 4 and 37 GB, mostly compactions
that repeat the history): listed, and read from their end, in little memory.

    large.py PROGRAM [SIZE_GB …]

Without a size it is 4 and 37 GB, which takes as much room on the disk, or 0.4 GB in the short form. Each size is made twice: with compactions of 6 MB, and of 20 MB, which is more than an entry may have.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

MEMORY_MAX_MB = 128
COMPACTIONS_MB = (6, 20)
WHOLE_GB_MAX = 5  # up to here it is gone through as well
ID = "01a1dc4a-f019-7743-92ce-00000000fade"
NAME = f"rollout-2026-01-01T00-00-00-{ID}.jsonl"
QUESTION, ANSWER = "which of the valves leaks?", "the third one, behind the press"


def line(minute, kind, payload):
    stamp = f"2026-01-01T{minute // 60:02}:{minute % 60:02}:00.000Z"
    return json.dumps({"timestamp": stamp, "type": kind, "payload": payload}, separators=(",", ":")) + "\n"


def message(role, text):
    kind = "input_text" if role == "user" else "output_text"
    return {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}


def turn(minute, question, answer):
    return (line(minute, "response_item", message("user", question)) +
            line(minute, "event_msg", {"type": "user_message", "message": question}) +
            line(minute, "response_item", message("assistant", answer)))


def make(path, size, compaction_size):
    """A cycle of turns and one compaction, again and again, and some turns at the end."""
    words = "the history of the orchard, told once more. " * 200
    history = [message("user", words) for _ in range(compaction_size // len(words) + 1)]
    cycle = turn(2, "go on", "done") * 5 + line(3, "compacted", {"message": "", "replacement_history": history})
    cycle = (cycle * max(1, 64_000_000 // len(cycle))).encode()
    with open(path, "wb", buffering=0) as file:
        file.write((line(0, "session_meta", {"id": ID, "timestamp": "2026-01-01T00:00:00.000Z",
                                             "cwd": "/home/dev/orchard", "cli_version": "0.166.0"}) +
                    turn(1, "water the trees", "they are wet")).encode())
        while file.tell() < size:
            file.write(cycle)
        file.write("".join(turn(4 + i, QUESTION, ANSWER) for i in range(20)).encode())


def run(program, words, environment):
    """What it printed, its peak memory in MB, and its seconds."""
    started = time.perf_counter()
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen([program, *words], env=environment, stdout=out)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - started
        out.seek(0)
        text = out.read().decode()
    if process.returncode != 0:
        sys.exit(f"logwood {' '.join(words)}: ended with {process.returncode}")
    return text, usage.ru_maxrss / 1024, seconds


def check(program, gigabytes, compaction_mb):
    failures = 0
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as home:
        folder = pathlib.Path(home, ".codex/sessions/2026/01/01")
        folder.mkdir(parents=True)
        path = folder / NAME
        # By another process: the memory of this one counts for those it starts.
        maker = os.fork()
        if maker == 0:
            make(path, int(gigabytes * 1e9), compaction_mb * 1_000_000)
            os._exit(0)
        if os.waitpid(maker, 0)[1] != 0:
            sys.exit("the session could not be made")
        environment = {"HOME": home, "PATH": os.environ["PATH"], "COLUMNS": "200"}
        name = f"codex:{ID[-8:]}"
        asked = [(["ls", "-a"], "water the trees"), (["ls", "-a", "--json"], '"lastActive":"2026-01-01T00:23'),
                 (["context", name], ANSWER), (["context", str(path), "--json"], ANSWER)]
        if gigabytes <= WHOLE_GB_MAX:
            asked.append((["status", name], ID))
        for words, wanted in asked:
            text, memory, seconds = run(program, words, environment)
            verdict = "" if memory <= MEMORY_MAX_MB else "  TOO MUCH"
            if wanted not in text:
                verdict += f"  {wanted!r} IS MISSING"
            failures += verdict != ""
            print(f"  {' '.join(words[:2])[:40]:40} {memory:6.1f} MB {seconds:7.2f} s{verdict}")
    return failures


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    failures = 0
    sizes = sys.argv[2:] or (["0.4"] if "LOGWOOD_BUDGET_S" in os.environ else ["4", "37"])
    for gigabytes in (float(word) for word in sizes):
        for compaction_mb in COMPACTIONS_MB:
            print(f"{gigabytes:g} GB, compactions of {compaction_mb} MB:")
            failures += check(program, gigabytes, compaction_mb)
    print(f"large sessions: {failures} failures (memory <= {MEMORY_MAX_MB} MB)")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
