"""Step one of reading: cutting the bytes of a file into pieces (F6).

A piece is a sound line or a stretch of bytes that is none. Its class depends on
the bytes of its own physical line only, never on its neighbours.
"""
import re
from dataclasses import dataclass
from typing import Optional

import json_text
from sealed_line import SealedLine, is_newer, parse, parse_prefix

LINE_SIZE_MAX = (16 << 20) + (4 << 10)  # without the LF; beyond that, bytes are not looked at
SPLITS_MAX = 1024                       # lines split out of one physical line
_NUL_RUN = bytes(8)

# "This was a line of ours", whatever its member name has become.
_SEAL_LIKE_END = re.compile(
    rb'"[^"]{0,3}[+~]\.[0-9]+\.[0-9]+/[0-9]+\.[^"]*"[ \t\r\n\v\f]*\}[ \t\r\n\v\f]*\Z')


@dataclass(eq=False)
class Piece:
    kind: str     # sound, fused, unended; torn, newer, blank, nul, foreign, damaged
    start: int
    end: int      # after the LF where the piece has one
    number: int   # of the physical line, from 1
    line: Optional[SealedLine] = None


def class_of(session_id, text, has_lf):
    """The class of bytes that neither are a sound line nor start with one."""
    if is_newer(session_id, text):
        return "newer"
    if not has_lf:
        return "torn"
    if not text.strip(b" \t\r"):
        return "blank"
    seal_like = _SEAL_LIKE_END.search(text) is not None
    if _NUL_RUN in text and not seal_like:
        return "nul"
    if seal_like:
        return "damaged"
    json = json_text.check(text)
    return "foreign" if json.valid and "seal" not in json.names else "damaged"


def _split(session_id, data, start, stop, has_lf, number):
    """The pieces of one physical line, data[start:stop] without its LF."""
    end = stop + has_lf
    is_oversize = stop - start > LINE_SIZE_MAX
    seen = start + LINE_SIZE_MAX if is_oversize else stop
    splits = 0
    while True:
        text = data[start:seen]
        line = parse(session_id, text) if not is_oversize else None
        if line:
            yield Piece("sound" if has_lf else "unended", start, end, number, line)
            return
        line = parse_prefix(session_id, text) if splits < SPLITS_MAX else None
        if not line:
            kind = class_of(session_id, text, has_lf) if not is_oversize else (
                "damaged" if has_lf else "torn")
            yield Piece(kind, start, end, number)
            return
        splits += 1
        after = start + len(line.text)
        yield Piece("fused", start, after, number, line)
        # One byte stands where the LF was. There is none if the next object begins
        # at once: "{" and then any byte but "{".
        following = data[after:after + 2]
        begins_at_once = following[:1] == b"{" and following[1:] not in (b"", b"{")
        start = after if begins_at_once else after + 1
        if start >= stop:
            return


def pieces(data, session_id):
    """All pieces of a file, in order."""
    start, number = 0, 0
    while start < len(data):
        lf = data.find(b"\n", start)
        stop, number = (lf if lf >= 0 else len(data)), number + 1
        yield from _split(session_id, data, start, stop, lf >= 0, number)
        start = stop + 1


def last_physical_line(data, stop, session_id):
    """Start of the physical line that ends at `stop`, and its pieces."""
    start = data.rfind(b"\n", 0, stop - 1) + 1
    has_lf = data[stop - 1:stop] == b"\n"
    return start, list(_split(session_id, data, start, stop - has_lf, has_lf, 0))
