"""One sealed line: how it is written and when it is sound (F5).

Everything is bytes; a session id is given as bytes too. A line's text never
includes its LF.
"""
import base64
import functools
import hashlib
import json
import re
from dataclasses import dataclass

import crc32c
import json_text

LINK_BEFORE_FIRST = b"A" * 32
BATCH_ENTRIES_MAX = 1024
_SEAL_SIZE_MAX = 98

# Numbers are text of one spelling: "01" is none, and neither is an upper-case CRC.
_SEAL = (rb',"seal":"(?P<head>1(?P<mark>[+~])\.(?P<seq>[1-9][0-9]{0,14})'
         rb"\.(?P<i>[1-9][0-9]{0,3})/(?P<n>[1-9][0-9]{0,3})"
         rb"\.(?P<salt>[A-Za-z0-9_-]{16}|x)\.)"
         rb'(?P<link>[A-Za-z0-9_-]{32})\.(?P<crc>[0-9a-f]{8})"\}')
SEAL = re.compile(_SEAL)
SEAL_AT_END = re.compile(_SEAL + rb"\Z")
DIGEST_AT_END = re.compile(rb',"digest":"([0-9a-f]{64})"\Z')
# What every version keeps: its number first, its CRC last.
ANY_VERSION_AT_END = re.compile(rb',"seal":"([1-9][0-9]*)[^"\\]*\.([0-9a-f]{8})"\}\Z')
CRC_TEXT_SIZE = 10  # the CRC, the quote and the brace

ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,98}\Z")
# None of these occurs twice in an entry.
_SINGLE_NAMES = ("id", "parentId", "type", "timestamp", "runId", "payload", "meta", "erased",
                 "digest")


def is_id(value):
    return isinstance(value, str) and ID.match(value) is not None


def is_entry(value, names):
    """Whether an object, with its names as they occur, can be read as an entry (F3.2)."""
    return (all(names.count(name) <= 1 for name in _SINGLE_NAMES)
            and is_id(value.get("id")) and isinstance(value.get("type"), str)
            and (value.get("parentId") is None or is_id(value["parentId"])))


@dataclass(frozen=True)
class SealedLine:
    seq: int
    i: int
    n: int
    mark: bytes
    is_tombstone: bool
    link: bytes
    digest: bytes
    body: bytes
    text: bytes

    @property
    def batch(self):
        """What the lines of one batch share: the seq before it, and its size."""
        return self.seq - self.i, self.n

    @functools.cached_property
    def entry(self):
        """The entry as a value; an empty one when the body is no JSON object."""
        try:
            value = json.loads((self.body + b"}").decode("utf-8"), parse_int=_number)
        except (ValueError, RecursionError):
            return {}
        return value if isinstance(value, dict) else {}

    @property
    def id(self):
        return self.entry.get("id")

    @functools.cached_property
    def is_entry(self):
        json = json_text.check(self.body + b"}")
        return json.is_object and is_entry(self.entry, json.names)

    @property
    def payload(self):
        value = self.entry.get("payload")
        return value if isinstance(value, dict) else {}

    @property
    def line_hash(self):
        """What a redaction says about a tombstone: its bytes up to the CRC."""
        return hashlib.sha256(self.text[:-CRC_TEXT_SIZE]).hexdigest()


def _number(text):
    return int(text) if len(text) < 20 else text


def digest_of(session_id, head, body):
    return hashlib.sha256(b"logwood-line\n" + session_id + b"\n" + head + body).digest()


def link_of(link_before, digest):
    chained = hashlib.sha256(b"logwood-link\n" + link_before + digest).digest()
    return base64.urlsafe_b64encode(chained[:24])


@functools.lru_cache(256)
def crc_begin(session_id):
    return crc32c.update(crc32c.begin(), session_id + b"\n")


def crc_text(state):
    return b"%08x" % crc32c.finish(state)


def crc_of(session_id, text_before_crc):
    return crc_text(crc32c.update(crc_begin(session_id), text_before_crc))


def close_line(session_id, text_before_crc):
    return text_before_crc + crc_of(session_id, text_before_crc) + b'"}'


def seal(session_id, body, seq, i, n, mark, link_before, salt):
    """Seals one entry; returns the line's text and its link."""
    head = b"1%s.%d.%d/%d.%s." % (mark, seq, i, n, salt)
    link = link_of(link_before, digest_of(session_id, head, body))
    return close_line(session_id, body + b',"seal":"' + head + link + b"."), link


def seal_batch(session_id, bodies, seq, mark, link_before, salts):
    """Seals the entries of one append; returns the lines' texts and the last link."""
    lines, link, n = [], link_before, len(bodies)
    for i, body in enumerate(bodies, 1):
        text, link = seal(session_id, body, seq + i - 1, i, n, mark, link, next(salts))
        lines.append(text)
    return lines, link


def tombstone(session_id, line, mark_id):
    """The line that takes the place of an erased one (F12.1). For lines whose id,
    parentId, type and timestamp are spelled the way json.dumps spells them."""
    kept = {name: line.entry[name]
            for name in ("id", "parentId", "type", "timestamp") if name in line.entry}
    kept["erased"] = mark_id
    kept["digest"] = line.digest.hex()
    body = json.dumps(kept, separators=(",", ":"), ensure_ascii=False).encode()[:-1]
    head = b"1%s.%d.%d/%d.x." % (line.mark, line.seq, line.i, line.n)
    return close_line(session_id, body + b',"seal":"' + head + line.link + b".")


def _line_from(match, session_id, text, crc_state):
    """The line that `text` is, given the match of the seal at its end and the CRC
    state before its CRC; nothing if the two do not make it sound."""
    if not text.startswith(b"{") or crc_text(crc_state) != match["crc"]:
        return None
    seq, i, n = int(match["seq"]), int(match["i"]), int(match["n"])
    if not i <= n <= BATCH_ENTRIES_MAX or i > seq:
        return None
    body = text[:match.start()]
    is_tombstone = match["salt"] == b"x"
    if is_tombstone:
        carried = DIGEST_AT_END.search(body, max(0, len(body) - 80))
        if not carried:
            return None
        digest = bytes.fromhex(carried[1].decode())
    else:
        digest = digest_of(session_id, match["head"], body)
    return SealedLine(seq, i, n, match["mark"], is_tombstone, match["link"], digest, body, text)


def parse(session_id, text):
    """The sound line that `text` is, or None."""
    match = SEAL_AT_END.search(text, max(0, len(text) - _SEAL_SIZE_MAX))
    if not match:
        return None
    state = crc32c.update(crc_begin(session_id), text[:-CRC_TEXT_SIZE])
    return _line_from(match, session_id, text, state)


def parse_prefix(session_id, text):
    """The shortest sound line that `text` starts with and goes on after, or None.
    One pass: the CRC state is carried from one seal to the next."""
    if not text.startswith(b"{"):
        return None
    state, done = crc_begin(session_id), 0
    for match in SEAL.finditer(text):
        if match.end() == len(text):
            break
        before_crc = match.end() - CRC_TEXT_SIZE
        state, done = crc32c.update(state, text[done:before_crc]), before_crc
        line = _line_from(match, session_id, text[:match.end()], state)
        if line:
            return line
    return None


def is_newer(session_id, text):
    """Whether this is a line of another seal version with a right CRC (F11.1)."""
    match = ANY_VERSION_AT_END.search(text)
    return (match is not None and match[1] != b"1"
            and crc_of(session_id, text[:-CRC_TEXT_SIZE]) == match[2])
