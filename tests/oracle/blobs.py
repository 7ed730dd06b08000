"""Long strings in files beside the session (F17): which strings of a body move to
blobs, how its line names them, and what text a reader makes of both.

A body is an entry's text without its closing brace, as in sealed_line.
"""
import hashlib
import json
import re
from dataclasses import dataclass

from pieces import LINE_SIZE_MAX

STRING_SIZE_MAX = 65536  # between the quotes; longer strings move

_SPILLED_MEMBERS = ("payload", "meta")
_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{},:]', re.DOTALL)

# Numbers are text of one spelling here too: "01" is none, and none has more than 15 digits.
_NUMBER = rb'(0|[1-9][0-9]{0,14})'
_REF = rb'\[' + _NUMBER + rb',' + _NUMBER + rb',"([0-9a-f]{64})"\]'
_EACH_REF = re.compile(_REF)
_LIST_START = b',"blobs":['
_LIST = re.compile(re.escape(_LIST_START) + _REF + rb"(?:," + _REF + rb")*\]")


@dataclass(frozen=True)
class Ref:
    """One element of a line's list."""
    offset: int   # of the second of the two quotes
    length: int
    sha256: str

    def spelled(self):
        return b'[%d,%d,"%s"]' % (self.offset, self.length, self.sha256.encode())


@dataclass(frozen=True)
class Restored:
    text: bytes      # the entry's, with its closing brace
    complete: bool   # else a blob could not be had, and every long string is empty


def hash_of(content):
    return hashlib.sha256(content).hexdigest()


def long_strings(body):
    """Where the contents of the strings that move lie, as (start, stop), in order."""
    found, depth, name, in_value = [], 0, None, False
    for token in _TOKEN.finditer(body):
        sign = token[0]
        if sign in (b"{", b"["):
            depth += 1
        elif sign in (b"}", b"]"):
            depth -= 1
        elif sign in (b",", b":"):
            if depth == 1:
                in_value = sign == b":"
        elif depth == 1 and not in_value:
            name = json.loads(sign)
        elif name in _SPILLED_MEMBERS and len(sign) - 2 > STRING_SIZE_MAX:
            found.append((token.start() + 1, token.end() - 1))
    return found


def spelled_list(refs):
    return _LIST_START + b",".join(ref.spelled() for ref in refs) + b"]"


def spill(body):
    """The body as it is stored (F17.1, F17.2), and the blobs by their names."""
    stored, refs, blobs, done = b"", [], {}, 0
    for start, stop in long_strings(body):
        content = body[start:stop]
        stored += body[done:start]
        refs.append(Ref(len(stored), len(content), hash_of(content)))
        blobs[hash_of(content)] = content
        done = stop
    stored += body[done:]
    return (stored + spelled_list(refs) if refs else stored), blobs


def split_list(body):
    """The body without its list, and what the list says; a body that does not end in
    the form of F17.2 has none."""
    at = body.rfind(_LIST_START)
    if at < 0 or not _LIST.fullmatch(body, at):
        return body, []
    return body[:at], [Ref(int(offset), int(length), name.decode())
                       for offset, length, name in _EACH_REF.findall(body, at)]


def restore(body, blobs):
    """The entry's text (F17.5). `blobs`: the session's blobs, content by name."""
    rest, refs = split_list(body)
    emptied = Restored(rest + b"}", False)
    parts, done = [], 0
    for ref in refs:
        content = blobs.get(ref.sha256)
        if (ref.offset <= done or rest[ref.offset - 1:ref.offset + 1] != b'""'
                or ref.length <= STRING_SIZE_MAX or content is None
                or len(content) != ref.length or hash_of(content) != ref.sha256):
            return emptied
        parts += [rest[done:ref.offset], content]
        done = ref.offset
    text = b"".join(parts) + rest[done:] + b"}"
    # Without a list the line itself is within the limits.
    return emptied if refs and len(text) > LINE_SIZE_MAX else Restored(text, True)
