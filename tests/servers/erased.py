#!/usr/bin/env python3
"""What was erased is in no dump of the database.

    erased.py LOGWOOD      within postgres.py run

A secret stands in entries, in a long string, in a fork, in a removed session and in the index of
words. A dump shows it before (or this could see nothing), and not after it was erased.
A dump writes bytes in hexadecimal, so that is looked for too.
"""
import json
import os
import subprocess
import sys
import tempfile

SUPER = os.environ["LOGWOOD_TEST_POSTGRES_SUPER"]
OWNER = os.environ["LOGWOOD_TEST_POSTGRES_OWNER"]
PROGRAM = os.environ["LOGWOOD_TEST_POSTGRES"]
SECRET = "zanzibarquartz"
KEPT = "marmalade"


def occurrences(word):
    dump = subprocess.run(["pg_dump", SUPER], capture_output=True, check=True).stdout
    encoded = word.encode()
    return dump.count(encoded) + dump.count(encoded.hex().encode())


class Store:
    def __init__(self, logwood, url, folder):
        self.logwood, self.url, self.folder = logwood, url, folder

    def __call__(self, *words, text=None):
        done = subprocess.run([self.logwood, *words, "--store", self.url], input=text, text=True, cwd=self.folder,
                              capture_output=True, check=False)
        if done.returncode:
            sys.exit(f"logwood {' '.join(words)}: {done.stderr}")
        return done.stdout


def fill(store):
    store("new", "--id", "s", "--key", "main:web:olga")
    store("append", "s", "--user", f"it is {SECRET}", "--assistant", KEPT)
    store("append", "s", "--user", f"{'long ' * 20000} {SECRET}")
    store("fork", "s", "--id", "copy")
    store("new", "--id", "gone", "--key", "main:web:olga:old")
    store("append", "gone", "--user", f"removed with {SECRET}")
    if SECRET not in store("search", SECRET):
        sys.exit("the secret is not found before it is erased")
    store("rm", "gone")


def main():
    logwood = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([logwood, "tenant", "add", "dumped", "--role", "logwood_program", "--store", OWNER],
                       check=True, stdout=subprocess.DEVNULL)
        store = Store(logwood, f"{PROGRAM}?tenant=dumped", folder)
        fill(store)
        before = occurrences(SECRET)
        if before < 5:
            sys.exit(f"only {before} occurrences in a dump before anything is erased: this could not see a leak")
        entries = [json.loads(line)["id"] for line in store("show", "s", "--raw", "--json").splitlines()
                   if SECRET in line]
        store("erase", "s", *entries, "--everywhere", "--yes")
        hits = store("search", SECRET)
        if SECRET in hits:
            sys.exit(f"a search still finds it: {hits}")
        left = occurrences(SECRET)
        if not 0 < left < before:
            sys.exit(f"{left} of {before} occurrences are left, and only the removed session should have some")
        store("erase", "--subject", "main:web:olga", "--yes", "--ledger", "ledger.jsonl")
        after = occurrences(SECRET)
        if after:
            sys.exit(f"{after} occurrences in a dump after the erasure")
        if not occurrences(KEPT):
            sys.exit("what nobody erased is gone from the dump: the fork should still have it")
    print(f"erased: {before} occurrences in a dump before, {left} in the removed session, 0 at the end")


main()
