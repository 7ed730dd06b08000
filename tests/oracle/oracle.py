#!/usr/bin/env python3
"""The session file of docs/format.md, executable.

  oracle.py scan FILE [--id SID] [--not-at-rest] [--blobs FOLDER]
                                                   what a reader returns and reports
  oracle.py serve                                  the same for requests on stdin
  oracle.py random --seed S --count N --out DIR|-  damaged files with what to expect
  oracle.py json                                   JSON text verdicts for lines on stdin

Written from the document, not from the library: where the two differ, one of
them is wrong.
"""
import argparse
import hashlib
import json
import os
import sys

import json_text
from blobs import restore
from fold import Problem, scan
from random_files import random_files
from repeated_bytes import parts_of
from session import judge, scan_unsealed
from tail import read_tail


def scan_result(data, session_id, at_rest=True):
    """A scan as plain values, the form in which tests compare it."""
    found = scan(data, session_id, at_rest)
    return {
        "entries": [{"seq": r.line.seq, "id": r.line.id, "flagged": r.flagged,
                     "erased": r.line.is_tombstone} for r in found.entries],
        "problems": problems_of(found),
        "last": {"next": found.next.seq, "link": found.next.link.decode(), "cut": found.cut,
                 "hole": found.next.hole, "newer": found.newer, "end": found.end},
        "uncut": {"next": found.uncut.seq, "link": found.uncut.link.decode(),
                  "hole": found.uncut.hole},
    }


def problems_of(found):
    return spelled_problems(found.problems)


def spelled_problems(problems):
    return [{"problem": p.kind, "offset": p.offset, "line": p.line, "detail": p.detail}
            for p in problems]


def restored_entries(data, session_id, blobs):
    """The returned lines at rest, each with its text (F17.5). `blobs`: content by path
    below blobs/. Of a renamed file they lie under the id inside (F17.6)."""
    read_as = (judge(data, session_id).written_as or session_id.decode()) + "/"
    own = {path.removeprefix(read_as): content for path, content in blobs.items()
           if path.startswith(read_as)}
    return [(returned, restore(returned.line.body, own))
            for returned in scan(data, read_as[:-1].encode()).entries]


def loaded_result(data, session_id, blobs):
    """What a session with blobs gives when it is loaded: a hash of each text, and the
    reports of those that are incomplete."""
    found = restored_entries(data, session_id, blobs)
    return {"texts": [{"seq": returned.line.seq,
                       "sha256": hashlib.sha256(restored.text).hexdigest()}
                      for returned, restored in found],
            "incomplete": spelled_problems(
                Problem("blob", returned.piece.start, returned.piece.number, returned.line.seq)
                for returned, restored in found if not restored.complete)}


def tail_result(data, session_id, want, anchor=None, at_rest=True):
    found = read_tail(data, session_id, want, _anchor(anchor), at_rest)
    return {"want": want, "anchor": anchor, "complete": found.complete,
            "anchored": found.anchored,
            "entries": [{"seq": line.seq, "id": line.id, "erased": line.is_tombstone}
                        for batch in found.batches for line in batch]}


def state_result(data, session_id):
    state = judge(data, session_id)
    result = {"state": "ok" if state.writable else "read_only", "why": state.why}
    if state.written_as:
        result["written_as"] = state.written_as
    return result


def unsealed_result(data, at_rest=True):
    found = scan_unsealed(data, at_rest)
    return {"entries": [{"seq": seq, "id": entry_id} for seq, entry_id in found.entries],
            "problems": problems_of(found)}


def _anchor(anchor):
    return (anchor[0], anchor[1], anchor[2].encode()) if anchor else None


def emit(value):
    print(json.dumps(value, separators=(",", ":")))


def run_scan(options):
    with open(options.file, "rb") as file:
        data = file.read()
    name = options.id or os.path.basename(options.file).removesuffix(".jsonl")
    result = scan_result(data, name.encode(), not options.not_at_rest)
    problems, texts = result["problems"], []
    if options.blobs:
        loaded = loaded_result(data, name.encode(), blobs_in(options.blobs))
        problems, texts = problems + loaded["incomplete"], loaded["texts"]
    for value in result["entries"] + texts + problems + [result["last"]]:
        emit(value)
    return 5 if problems else 0


def blobs_in(folder):
    """A store's folder blobs/, content by path."""
    found = {}
    for session_id in os.listdir(folder):
        for name in os.listdir(os.path.join(folder, session_id)):
            with open(os.path.join(folder, session_id, name), "rb") as file:
                found["%s/%s" % (session_id, name)] = file.read()
    return found


def run_serve(_):
    for request in sys.stdin:
        request = json.loads(request)
        data, session_id = bytes.fromhex(request["hex"]), request["sid"].encode()
        at_rest = request.get("at_rest", True)
        answer = {"scan": scan_result(data, session_id, at_rest)}
        if "tail_want" in request:
            answer["tail"] = tail_result(data, session_id, request["tail_want"],
                                         request.get("anchor"), at_rest)
        if request.get("judge"):
            answer["session"] = state_result(data, session_id)
        emit(answer)
        sys.stdout.flush()
    return 0


def run_random(options):
    folder = None if options.out == "-" else options.out
    if folder:
        os.makedirs(folder, exist_ok=True)
    expected = open(os.path.join(folder, "expected.jsonl"), "w") if folder else sys.stdout
    with expected:
        for k, made in enumerate(random_files(options.seed, options.count)):
            at_rest = k % 4 != 3
            result = {"sid": made.session_id.decode(), "at_rest": at_rest,
                      "damages": made.damages}
            if folder:
                result["file"] = "%06d.jsonl" % k
                with open(os.path.join(folder, result["file"]), "wb") as file:
                    file.write(made.data)
            else:
                result["hex"] = made.data.hex()
            if made.blobs is not None:
                result["blobs"] = {path: parts_of(content)
                                   for path, content in made.blobs.items()}
                result["loaded"] = loaded_result(made.data, made.session_id, made.blobs)
            result["scan"] = scan_result(made.data, made.session_id, at_rest)
            result["tail"] = [
                tail_result(made.data, made.session_id, want, anchor, at_rest)
                for want, anchor in ((1, None), (3, None), (99, None), (1, made.anchor))]
            expected.write(json.dumps(result, separators=(",", ":")) + "\n")
    return 0


def run_json(_):
    for line in sys.stdin.buffer:
        verdict = json_text.check(line.removesuffix(b"\n"))
        emit({"valid": verdict.valid, "object": verdict.is_object, "names": verdict.names})
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("scan")
    one.add_argument("file")
    one.add_argument("--id", help="session id; otherwise the file's name without .jsonl")
    one.add_argument("--blobs", help="the store's folder of blobs: texts are restored as well")
    one.add_argument("--not-at-rest", action="store_true", help="as a reader without a lock")
    one.set_defaults(run=run_scan)
    commands.add_parser("serve").set_defaults(run=run_serve)
    many = commands.add_parser("random")
    many.add_argument("--seed", required=True)
    many.add_argument("--count", type=int, required=True)
    many.add_argument("--out", required=True, help="a folder, or - for one JSON line a file")
    many.set_defaults(run=run_random)
    commands.add_parser("json").set_defaults(run=run_json)
    options = parser.parse_args()
    return options.run(options)


if __name__ == "__main__":
    sys.exit(main())
