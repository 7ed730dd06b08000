#!/usr/bin/env python3
"""Holds what we make of requests against tests/providers/vectors: reading, writing, round trips.

usage: check.py PROGRAM [VALIDATORS]

PROGRAM is tests/programs/provider_requests. Every request it writes is also given to the validators
(node VALIDATORS), which know nothing of it.
"""
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
OURS = ("anthropic-messages", "openai-chat", "openai-responses", "gemini")
# What a store adds to a message, which no request says.
STORED = ("status", "stop", "incomplete", "prefix_changed")

failures = []


def fail(where, what, expected=None, got=None):
    failures.append(where)
    print(f"{where}: {what}")
    if expected is not None or got is not None:
        print(f"  expected {json.dumps(expected, sort_keys=True)}")
        print(f"  got      {json.dumps(got, sort_keys=True)}")


class Program:
    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, job):
        self.process.stdin.write(json.dumps(job) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


def aligned(expected, got):
    """Both, with only what the vector speaks about: bytes that the other members say again are left out there."""
    if isinstance(expected, dict) and isinstance(got, dict):
        left = {key: value for key, value in expected.items() if key not in STORED}
        right = {key: value for key, value in got.items() if key not in STORED}
        for optional in ("native", "args_raw"):
            if optional not in left:
                right.pop(optional, None)
        for key in left.keys() & right.keys():
            left[key], right[key] = aligned(left[key], right[key])
        return left, right
    if isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
        pairs = [aligned(*pair) for pair in zip(expected, got)]
        return [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    return expected, got


# What the vectors call otherwise.
OUR_KEYS = {"part": "kind", "call_id": "callId", "native_type": "nativeType", "file_id": "fileId"}


# For the caller, not about what is sent; the vectors do not speak of them.
HINTS = ("THINKING_MUST_BE_OFF",)


def expected_warnings(warnings):
    return plain({OUR_KEYS.get(key, key): value for key, value in warning.items()} for warning in warnings)


def plain(warnings):
    """As a set that counts, and without what only we say."""
    return sorted(json.dumps({key: value for key, value in warning.items() if key not in ("severity", "text", "part")},
                             sort_keys=True) for warning in warnings if warning["code"] not in HINTS)


def main():
    program = Program(sys.argv[1])
    requests = []  # for the validators
    counts = dict(read=0, sure=0, likely=0, round_trips=0, refused=0)
    for path in sorted((HERE / "vectors/conv").glob("*.json")):
        vector = json.loads(path.read_text())
        name = vector["id"]
        source = vector["source"]
        if source:
            job = {"read": vector["source_request"], **{key: source[key] for key in ("api", "provider", "model")}}
            got = program.ask(job)
            expected, got = aligned(vector["canonical"], got.get("canonical", got))
            counts["read"] += 1
            if expected != got:
                fail(name, "is read as something else", expected, got)
        for key, target in vector["targets"].items():
            if target["api"] not in OURS:
                continue
            where = f"{name} for {key}"
            got = program.ask({"write": vector["canonical"], "target": target})
            counts[target["confidence"]] += 1
            if got["request"] != target["request"]:
                fail(where, "another request", target["request"], got["request"])
            expected = expected_warnings(target["warnings"])
            if plain(got["warnings"]) != expected:
                fail(where, "other warnings", expected, plain(got["warnings"]))
            requests.append({"where": where, "api": target["api"], "model": target["model"],
                             "flavor": target.get("flavor"), "request": got["request"]})
        if vector.get("round_trip_identity"):
            body = program.ask(job)["canonical"]
            got = program.ask({"write": body, "target": source})
            counts["round_trips"] += 1
            if got["request"] != vector["source_request"] or got["warnings"]:
                fail(name, "does not come back unchanged", vector["source_request"], got)
    for path in sorted((HERE / "vectors/invalid").glob("*.json")):
        vector = json.loads(path.read_text())
        found = faults_of(program, vector)
        counts["refused"] += vector["must_break"] in found
        if found != set(vector["all_rules_broken"]):
            fail(path.stem, "breaks other rules", vector["all_rules_broken"], sorted(found))
    for request in requests:
        if found := faults_of(program, request):
            fail(request["where"], f"our own linter refuses it: {sorted(found)}")
    check_tables(program)
    if len(sys.argv) > 2:
        validate(sys.argv[2], requests)
    print(", ".join(f"{count} {what.replace('_', ' ')}" for what, count in counts.items()),
          f"- {len(failures)} failures")
    sys.exit(bool(failures))


def faults_of(program, request):
    """The rules that would have an API refuse it."""
    job = {"lint": request["request"], **{key: request[key] for key in ("api", "model", "flavor") if request.get(key)}}
    answer = program.ask(job)
    return {fault["rule"] for fault in answer["faults"] if fault["level"] == "error"}


def check_tables(program):
    tables = HERE / "vectors/tables"
    for file, key in (("tool_ids", "id"), ("tool_names", "name"), ("stop_reasons", "raw")):
        for case in json.loads((tables / f"{file}.json").read_text())["cases"]:
            if case["api"] not in OURS or "with" in case:
                continue
            got = program.ask({"stop" if key == "raw" else key: case[key], "api": case["api"]})["is"]
            if got != case["expect"]:
                fail(f"{file} {case['api']} {case[key]!r}", "something else", case["expect"], got)
    for case in json.loads((tables / "usage.json").read_text())["cases"]:
        got = program.ask({"usage": case["raw"]})
        if case["api"] in OURS and got != case["expect"]:
            fail(f"usage {case['api']}", "something else", case["expect"], got)


def validate(validators, requests):
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    done = subprocess.run(["node", validators], input=lines, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        fail("validators", done.stderr)
    for line in done.stdout.splitlines():
        fail("validators", line)


if __name__ == "__main__":
    main()
