"""Follows a session in one process while others change it.

    following.py PROGRAM

Each thing another process does to the session is to be seen by the one that follows it, soon, once
and in order: appends, a move of the head, a redaction, an erasure (which replaces the file), an archive and the way
back from it, and the end of the session.
"""
import json
import os
import pathlib
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time

PROGRAM = str(pathlib.Path(sys.argv[1]).resolve())
SOON_S = 5     # on a machine with much to do
QUICK_S = 0.2  # at least once, or it was the look that is made every second anyway


class Follower:
    """`logwood follow`, and the lines it prints with the time at which they came."""

    def __init__(self, environment, *options):
        self.process = subprocess.Popen([PROGRAM, "follow", "s", "--json", *options], env=environment,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put((time.monotonic(), json.loads(line)))

    def next(self):
        return self.lines.get(timeout=SOON_S)

    def end(self):
        code = self.process.wait(SOON_S)
        return code, self.process.stderr.read()


def main():
    with tempfile.TemporaryDirectory() as folder:
        environment = {"HOME": folder, "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}

        def logwood(*words):
            started = time.monotonic()
            done = subprocess.run([PROGRAM, *words], env=environment, cwd=folder, text=True,
                                  capture_output=True, timeout=60)
            assert done.returncode == 0, (words, done.stderr)
            return started, done.stdout.strip()

        logwood("new", "--id", "s")
        for number in range(15):
            logwood("append", "s", "--user", f"before {number}")

        # The last ten, then everything new.
        follower = Follower(environment)
        texts = [follower.next()[1]["entry"]["payload"]["content"] for _ in range(10)]
        assert texts == [f"before {n}" for n in range(5, 15)], texts
        delays, first = [], None
        for number in range(20):
            started, entry = logwood("append", "s", "--user", f"after {number}")
            came, line = follower.next()
            assert line["id"] == entry, (line, entry)
            delays.append(came - started)
            first = first or entry
        assert min(delays) < QUICK_S, delays
        logwood("head", "s", first)
        assert follower.next()[1]["type"] == "head"
        logwood("redact", "s", first)
        assert follower.next()[1]["type"] == "redaction"
        logwood("erase", "s", first, "--yes", "--receipt", "r.json")
        assert follower.next()[1]["type"] == "redaction"
        _, entry = logwood("append", "s", "--user", "after the erasure")
        assert follower.next()[1]["id"] == entry
        logwood("archive", "s")
        time.sleep(1.5)  # longer than between two looks
        assert follower.process.poll() is None, follower.end()
        logwood("archive", "s", "--undo")
        _, entry = logwood("append", "s", "--user", "after the archive")
        assert follower.next()[1]["id"] == entry
        assert follower.lines.empty(), "something was printed twice"

        # All of it, and Ctrl-C.
        whole = Follower(environment, "--from-start")
        seen = [whole.next()[1] for _ in range(15 + 20 + 3 + 2)]
        assert seen[0]["entry"]["payload"]["content"] == "before 0", seen[0]
        assert [one["id"] for one in seen if one.get("erased")] == [first]
        whole.process.send_signal(signal.SIGINT)
        assert whole.end() == (130, ""), "Ctrl-C ends it without a word"

        # A reader that leaves after the last ten and one more.
        piped = subprocess.Popen(["bash", "-c", '"$0" follow s | head -n 21 >/dev/null; exit ${PIPESTATUS[0]}', PROGRAM],
                                 env=environment, stderr=subprocess.PIPE, text=True)
        while piped.poll() is None:
            logwood("append", "s", "--user", "more than anybody wants")
        assert piped.returncode == 0 and piped.stderr.read() == "", "they have seen enough"

        # The end of the session.
        logwood("rm", "s")
        code, said = follower.end()
        assert code == 3 and said == "logwood: session s is gone; what it had was printed\n", (code, said)
        print(f"followed through 20 appends ({min(delays) * 1000:.0f} ms at best, "
              f"{max(delays) * 1000:.0f} ms at worst, the append included), a redaction, an erasure, an archive and the end")


main()
