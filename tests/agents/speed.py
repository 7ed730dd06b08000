#!/usr/bin/env python3
"""How long pi takes to list 10,000 sessions of its own, and logwood the same files: first, when it knows none
of them, and again.

    speed.py BUILD FOLDER

FOLDER is where `install` put the agents. Both are asked in a process that has started already; beside that
logwood is timed as a program, from its start to its end, with everything it prints.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
SESSIONS, SEED = 10_000, 2
FIRST_MIN, AGAIN_MIN = 20, 1_000


def seconds_of(command, environment):
    started = time.perf_counter()
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


def main():
    build, folder = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    subprocess.run([HERE / "install", folder], check=True)
    with tempfile.TemporaryDirectory() as home:
        store = pathlib.Path(home, "sessions")
        subprocess.run([sys.executable, HERE / "make_pi_store.py", store, str(SESSIONS), str(SEED)], check=True)
        listed = subprocess.run(["node", HERE / "pi.mjs", folder, "time-list-all", store], check=True, text=True,
                                stdout=subprocess.PIPE)
        pi = json.loads(listed.stdout)["milliseconds"]
        ours = json.loads(subprocess.run([build / "bench/agents_list", store, "5"], check=True, text=True,
                                         stdout=subprocess.PIPE).stdout)
        environment = {"HOME": home, "PATH": os.environ["PATH"], "PI_CODING_AGENT_SESSION_DIR": str(store)}
        command = [build / "logwood", "ls", "-a", "-n", "50"]
        first = seconds_of(command, environment)
        again = min(seconds_of(command, environment) for _ in range(10))
    print(f"pi lists {SESSIONS} sessions in {pi:.0f} ms; logwood first in {ours['first']:.0f} ms, again in "
          f"{ours['again']:.2f} ms; as a program in {first * 1e3:.0f} and {again * 1e3:.1f} ms")
    faster_first, faster_again = pi / ours["first"], pi / ours["again"]
    print(f"agents' lists: first {faster_first:.1f}x faster than pi (>= {FIRST_MIN}), again {faster_again:.0f}x "
          f"(>= {AGAIN_MIN})")
    return 0 if faster_first >= FIRST_MIN and faster_again >= AGAIN_MIN else 1


if __name__ == "__main__":
    sys.exit(main())
