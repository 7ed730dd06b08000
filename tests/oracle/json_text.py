"""Is this text JSON? RFC 8259, valid UTF-8, at most 128 deep (F3.1).

Python's own parser is not asked: it takes NaN, limits the digits of a number and
recurses. This checker looks at tokens only and never builds a value.
"""
import json
import re
from dataclasses import dataclass, field
from typing import Optional

DEPTH_MAX = 128

_TOKEN = re.compile(
    r"[ \t\n\r]*(?:"
    r"(?P<sign>[\[\]{},:])"
    r'|(?P<string>"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*")'
    r"|(?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<word>true|false|null)"
    r")")
_SPACE = re.compile(r"[ \t\n\r]*")


@dataclass
class Verdict:
    fault: Optional[str] = None  # utf8, syntax, depth
    is_object: bool = False   # the outermost value is an object
    newline: bool = False     # a raw CR or LF stands between two tokens
    names: list = field(default_factory=list)  # of the outermost object, escapes resolved

    @property
    def valid(self):
        return self.fault is None


def check(text):
    """Judges the bytes `text`."""
    try:
        chars = text.decode("utf-8")
    except UnicodeDecodeError:
        return Verdict("utf8")
    verdict = Verdict()
    open_containers = []
    # What may come next: a value, a name, or what follows a value. "first" in
    # front means that the container may also be closed at once.
    expected, at = "value", 0
    while expected != "end":
        token = _TOKEN.match(chars, at)
        if not token:
            return Verdict("syntax")
        at, kind, word = token.end(), token.lastgroup, token[token.lastgroup]
        if expected in ("value", "first value") and (kind != "sign" or word in "[{"):
            if kind == "sign":
                if len(open_containers) == DEPTH_MAX:
                    return Verdict("depth")
                open_containers.append(word)
                if len(open_containers) == 1:
                    verdict.is_object = word == "{"
                expected = "first name" if word == "{" else "first value"
            else:
                expected = "rest" if open_containers else "end"
        elif expected in ("name", "first name") and kind == "string":
            if len(open_containers) == 1:
                verdict.names.append(json.loads(word))
            expected = "colon"
        elif expected == "colon" and word == ":":
            expected = "value"
        elif expected == "rest" and word == ",":
            expected = "name" if open_containers[-1] == "{" else "value"
        elif (expected in ("rest", "first name", "first value") and open_containers
              and word == ("}" if open_containers[-1] == "{" else "]")):
            open_containers.pop()
            expected = "rest" if open_containers else "end"
        else:
            return Verdict("syntax")
    if not _SPACE.fullmatch(chars, at):
        return Verdict("syntax")
    # Inside strings they are refused, so in a valid text they lie between tokens.
    verdict.newline = "\n" in chars or "\r" in chars
    return verdict
