"""What a session reader says about a file as a whole: may it be appended to, and
if not, why not (F11); where its tail and its head are (F4). Also the reading of
version 0 (F11.4)."""
import json
from dataclasses import dataclass
from typing import Optional

import json_text
from fold import Problem
from pieces import LINE_SIZE_MAX, pieces
from sealed_line import is_entry, is_id, parse

KNOWN_REQUIREMENTS = ()
RESERVED = ("seal", "digest", "erased", "blobs")
MARKS = ("head", "label", "session_info", "redaction", "tool_run", "agent_line")


@dataclass
class State:
    writable: bool
    why: Optional[str] = None         # newer, version, requires, renamed, version_0, no_header
    written_as: Optional[str] = None  # of a renamed file: the session id it was sealed with


def judge(data, session_id):
    """State of a file called after `session_id`, read at rest."""
    every_piece = list(pieces(data, session_id))
    if any(piece.kind == "newer" for piece in every_piece):
        return State(False, "newer")
    text, has_lf, _ = data.partition(b"\n")
    line = parse(session_id, text)
    if line:
        return _judge_header(line.entry)

    entry = _object(text)
    inside = entry.get("id")
    if is_id(inside) and inside != session_id.decode() and parse(inside.encode(), text):
        return State(False, "renamed", inside)
    if _is_header(entry) and has_lf and _unsealed_class(text, True)[0] == "entry":
        payload = entry.get("payload")
        if isinstance(payload, dict) and payload.get("version") == 0:
            if inside != session_id.decode():
                return State(False, "renamed", inside)
            return State(False, "version_0")
    if not any(piece.line for piece in every_piece):
        return State(False, "no_header")
    return State(True)   # its header is damaged or is not the first line any more


def _judge_header(entry):
    payload = entry.get("payload")
    if not _is_header(entry) or not isinstance(payload, dict):
        return State(True)
    version, required = payload.get("version"), payload.get("requires")
    if isinstance(version, int) and version > 1:
        return State(False, "version")
    if isinstance(required, list) and any(r not in KNOWN_REQUIREMENTS for r in required):
        return State(False, "requires")
    return State(True)


def _is_header(entry):
    return entry.get("type") == "session_header"


def _object(text):
    if not json_text.check(text).is_object:
        return {}
    return json.loads(text.decode("utf-8"), parse_int=lambda n: int(n) if len(n) < 20 else n)


def tail_and_head(committed):
    """The ids of both, None where there is none, from the committed lines."""
    tail, head = None, None
    for line in committed:
        kind = line.entry.get("type")
        if kind == "session_header":
            continue
        if kind not in MARKS:
            tail = head = line.id
        elif kind == "head":
            tail = line.id
            target = line.payload.get("target", "absent")
            if target is None or is_id(target):
                head = target
    return tail, head


@dataclass
class UnsealedScan:
    entries: list    # (seq, id)
    problems: list


def scan_unsealed(data, at_rest=True):
    """Reads a version 0 file (F11.4): one line is one entry is one batch."""
    out, number, start = UnsealedScan([], []), 0, 0
    while start < len(data):
        lf = data.find(b"\n", start)
        stop, number = (lf if lf >= 0 else len(data)), number + 1
        kind, entry_id = _unsealed_class(data[start:stop], lf >= 0)
        if kind == "entry":
            out.entries.append((len(out.entries) + 1, entry_id))
        elif kind != "torn" or at_rest:
            out.problems.append(Problem(kind, start, number))
        start = stop + 1
    return out


def _unsealed_class(text, has_lf):
    """The class of a physical line, and the id of the entry that it is."""
    if not has_lf:
        return "torn", None
    if not text.strip(b" \t\r"):
        return "blank", None
    json = json_text.check(text) if len(text) <= LINE_SIZE_MAX else json_text.Verdict("syntax")
    if json.is_object and not set(json.names) & set(RESERVED):
        entry = _object(text)
        if is_entry(entry, json.names):
            return "entry", entry["id"]
    return "damaged", None
