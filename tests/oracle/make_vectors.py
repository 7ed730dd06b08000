#!/usr/bin/env python3
"""Writes tests/vectors: session files for every case of docs/format.md with what a
reader must say about each, JSON texts, ids and long strings.

  make_vectors.py           writes the folder
  make_vectors.py --check   exits 1 if the folder or the document's example is stale

Salts are fixed, so the files are the same bytes on every run. Each case states by
hand what must be returned and reported; the oracle fills in offsets and links, and
a case whose statement the oracle contradicts is an error here.
"""
import base64
import hashlib
import json
import os
import sys

import blobs
import json_text
from blob_cases import GROUPS, SPILL_CASES
from fold import scan
from json_cases import ID_CASES, JSON_CASES
from oracle import (loaded_result, restored_entries, scan_result, state_result, tail_result,
                    unsealed_result)
from repeated_bytes import expand, parts_of
from session import tail_and_head
from session_builder import Session, message
from vector_cases import all_cases

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(HERE, "..", "vectors")
DOCUMENT = os.path.join(HERE, "..", "..", "docs", "format.md")


def stated(returned):
    """"4ef" -> (4, erased, flagged)"""
    found = []
    for word in returned.split():
        number = word.rstrip("ef")
        found.append((int(number), "e" in word, "f" in word))
    return found


def agrees(said, problem):
    """Whether a problem is the one stated: kind, and detail words after the colon."""
    kind, _, detail = said.partition(":")
    if kind != problem["problem"]:
        return False
    if isinstance(problem["detail"], list):
        return problem["detail"][2] == detail
    return not detail or str(problem["detail"]) == detail


def verify(name, result, returned, problems):
    found = [(e["seq"], e.get("erased", False), e.get("flagged", False))
             for e in result["entries"]]
    if found != stated(returned):
        raise SystemExit("%s: returned %r, stated %s" % (name, found, returned))
    said = problems.split()
    if len(said) != len(result["problems"]) or not all(map(agrees, said, result["problems"])):
        raise SystemExit("%s: problems %r, stated %s" % (name, result["problems"], problems))


def described(one):
    """The manifest's entry for a case, checked against its statement."""
    data = expand(one["parts"]) if one["parts"] else one["data"]
    session_id, name = one["sid"].encode(), one["name"]
    result = scan_result(data, session_id)
    verify(name, result, one["returned"], one["problems"])
    last, more = result["last"], one["more"]
    session = state_result(data, session_id)
    for what, got, said in (
            ("cut", len(data) - last["cut"], one["cut"] or 0), ("hole", last["hole"], one["hole"]),
            ("newer", last["newer"], one["newer"]),
            ("state", (session["state"], session["why"]), (one["state"], one["why"]))):
        if got != said:
            raise SystemExit("%s: %s is %r, stated %r" % (name, what, got, said))

    made = {"name": name, "sid": one["sid"], "rule": one["rule"], "shows": one["shows"],
            "size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    made.update({"parts": one["parts"]} if one["parts"] else {"file": name + ".jsonl"})
    made.update(result)
    unrested = scan_result(data, session_id, at_rest=False)
    if unrested != result:
        if "unrested" in more:
            verify(name + " not at rest", unrested, more["unrested"], more["unrested_problems"])
        made["not_at_rest"] = unrested
    wants = one["tail"] or [(1, None), (99, None)]
    made["tail"] = [tail_result(data, session_id, want, anchor) for want, anchor in wants]
    tail, head = tail_and_head(scan(data, session_id).committed)
    for what, got in (("expect_tail", tail), ("expect_head", head)):
        if what in more and more[what] != got:
            raise SystemExit("%s: %s is %r" % (name, what, got))
    made["session"] = dict(session, tail=tail, head=head)
    if session.get("written_as") and not one["version_0"]:
        made["session"]["read_as"] = scan_result(data, session["written_as"].encode())
    if one["version_0"]:
        made["version_0"] = unsealed_result(data)
        verify(name + " as version 0", made["version_0"], *one["version_0"])
    if one["blobs"] is not None:
        made["blobs"] = {path: parts_of(content) for path, content in one["blobs"].items()}
        made.update(loaded_result(data, session_id, one["blobs"]))
        verify_restored(name, restored_entries(data, session_id, one["blobs"]), more)
    return made, data


def verify_restored(name, entries, more):
    incomplete = " ".join(str(returned.line.seq) for returned, restored in entries
                          if not restored.complete)
    if incomplete != more["incomplete"]:
        raise SystemExit("%s: incomplete %r, stated %r" % (name, incomplete, more["incomplete"]))
    texts = {returned.line.seq: restored.text for returned, restored in entries}
    for seq, body in more["whole"].items():
        if texts[seq] != body.encode() + b"}":
            raise SystemExit("%s: the text of seq %d is not the one stated" % (name, seq))


def spill_case(name, body, contents):
    """A body and the one that is stored for it; none where no string moves."""
    body = body.encode()
    stored, made = blobs.spill(body)
    listed = blobs.split_list(stored)[1] if contents else []
    if ([ref.sha256 for ref in listed] != [blobs.hash_of(content) for content in contents]
            or set(made.values()) != set(contents)
            or blobs.restore(stored, made).text != body + b"}"):
        raise SystemExit("blob case %s: %r" % (name, listed))
    if not contents and stored != body:
        raise SystemExit("blob case %s: something moved" % name)
    if not json_text.check(body + b"}").valid:
        raise SystemExit("blob case %s is no JSON" % name)
    return {"name": name, "body": parts_of(body), "stored": parts_of(stored) if contents else None}


def text_case(name, text, fault, **more):
    made = {"name": name}
    try:
        made["text"] = text.decode("utf-8")
    except UnicodeDecodeError:
        made["base64"] = base64.b64encode(text).decode()
    verdict = json_text.check(text)
    if verdict.fault != fault:
        raise SystemExit("JSON case %s: %r, stated %r" % (name, verdict.fault, fault))
    made.update(valid=verdict.valid, fault=fault)
    if verdict.valid:
        made.update(object=verdict.is_object, newline=verdict.newline)
        if bool(more.get("newline")) != verdict.newline:
            raise SystemExit("JSON case %s: newline is %r" % (name, verdict.newline))
    return made


def id_case(text, valid, why):
    try:
        return {"id": text.decode("utf-8"), "valid": valid, "why": why}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(text).decode(), "valid": valid, "why": why}


def dump(value):
    """One line a case, so that a change shows as a change of that case."""
    lines = (",\n ".join(json.dumps(v, ensure_ascii=True) for v in value["cases"]))
    return ('{"about": %s,\n"cases": [\n %s\n]}\n' % (json.dumps(value["about"]), lines)).encode()


def all_files():
    manifest, files = [], {}
    for one in all_cases(*GROUPS):
        made, data = described(one)
        if made["name"] in [m["name"] for m in manifest]:
            raise SystemExit("two cases are called " + made["name"])
        manifest.append(made)
        if "file" in made:
            files[made["file"]] = data
    files["manifest.json"] = dump({
        "about": "Session files and what a reader must say about each; see docs/format.md, F16. "
                 "Made by tests/oracle/make_vectors.py.", "cases": manifest})
    files["json.json"] = dump({
        "about": "Texts for the JSON check of F3.1; see docs/format.md, F16.",
        "cases": [text_case(name, text, fault, **more) for name, text, fault, more in JSON_CASES]})
    files["ids.json"] = dump({"about": "Ids of sessions and entries, F1.5.",
                              "cases": [id_case(*c) for c in ID_CASES]})
    files["blobs.json"] = dump({
        "about": "Bodies before and after their long strings moved, F17; see docs/format.md, F16.",
        "cases": [spill_case(*c) for c in SPILL_CASES]})
    return files


def example_lines():
    """The lines that the document shows (F5.5)."""
    made = Session("demo", payload='{"version":1,"requires":[]}')
    made.batch(message("e1", "hi"), message("e2", "there", "e1"))
    return made.lines


def main():
    files = all_files()
    count = sum(name.endswith(".jsonl") for name in files)
    if sys.argv[1:] == ["--check"]:
        stale = [name for name in sorted(set(files) | set(os.listdir(FOLDER)))
                 if name not in files or not os.path.exists(os.path.join(FOLDER, name))
                 or open(os.path.join(FOLDER, name), "rb").read() != files[name]]
        document = open(DOCUMENT, "rb").read()
        stale += ["docs/format.md: the example" for line in example_lines()
                  if line not in document][:1]
        if stale:
            raise SystemExit("stale, run tests/oracle/make_vectors.py: " + ", ".join(stale))
        print("%d session files and their manifest are current" % count)
        return
    os.makedirs(FOLDER, exist_ok=True)
    for name in set(os.listdir(FOLDER)) - set(files):
        os.remove(os.path.join(FOLDER, name))
    for name, data in files.items():
        with open(os.path.join(FOLDER, name), "wb") as file:
            file.write(data)
    print("%d session files, %d bytes in all" % (count, sum(map(len, files.values()))))


if __name__ == "__main__":
    main()
