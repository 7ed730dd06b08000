"""Reading the end of a session backwards, without the rest of the file (F10.3)."""
from dataclasses import dataclass

from pieces import LINE_SIZE_MAX, last_physical_line
from sealed_line import LINK_BEFORE_FIRST, link_of


@dataclass
class Tail:
    batches: list        # of sealed lines; oldest batch first
    complete: bool       # else the caller has to scan: something irregular was met
    anchored: bool       # the walk joined the anchor or the start of the file


class _Walk:
    """The lines met so far, newest first, each proved to follow the one before it."""

    def __init__(self, want, anchor):
        self.want, self.anchor = want, anchor
        self.found, self.batch = [], []   # whole batches; lines of the one being walked
        self.after = None                 # the line met last: it follows the next one met
        self.in_torn_end = True
        self.verified = False             # by the fold that the anchor came from

    def answer(self, complete, at_start=False):
        """Batches found short of an anchor that was given prove nothing."""
        if not complete and self.anchor not in (None, "joined"):
            return Tail([], False, False)
        return Tail(self.found[::-1], complete, at_start or self.anchor == "joined")

    def joins(self, line):
        """Whether the line met last follows `line` (None: the start of the file)."""
        after = self.after
        seq, link = (line.seq, line.link) if line else (0, LINK_BEFORE_FIRST)
        if after.seq != seq + 1:
            return False
        if not self.verified and link_of(link, after.digest) != after.link:
            return False
        return after.i == 1 or (line is not None and line.batch == after.batch)

    def close_batch(self):
        if self.batch:
            self.found.append(self.batch[::-1])
        self.batch = []

    def has_enough(self):
        return len(self.found) >= self.want and not self.batch and self.anchor in (None, "joined")

    def open_or_continue(self, line):
        """Puts the line where it belongs; says whether there is such a place."""
        begins = self.after is None or self.after.i == 1
        if begins and line.i == line.n:
            self.batch, self.in_torn_end = [line], False
        elif self.batch:
            self.batch.append(line)
        elif not self.in_torn_end:
            return False
        self.verified |= self.anchor == "joined" and line.i == line.n
        self.after = line
        return True


def read_tail(data, session_id, want, anchor=None, at_rest=True):
    """The last batches, `want` or more, read from the end.

    `anchor`: (end offset, seq, link) of a line that an earlier scan accepted. The
    walk then goes on to that line, and a replayed tail cannot pass for the end."""
    walk, stop = _Walk(want, tuple(anchor) if anchor else None), len(data)
    while stop > 0:
        start, found = last_physical_line(data, stop, session_id)
        piece, kind = found[0], found[0].kind
        is_oversize = len(data[start:stop].removesuffix(b"\n")) > LINE_SIZE_MAX
        if len(found) > 1 or kind in ("damaged", "newer", "fused") or is_oversize:
            return walk.answer(False)
        if kind == "unended" and not at_rest:
            kind = "torn"
        if kind in ("torn", "nul") and not walk.in_torn_end:
            return walk.answer(False)
        if kind not in ("sound", "unended"):
            stop = start
            continue

        line = piece.line
        if walk.after:
            if not walk.joins(line):
                return walk.answer(False)
            if walk.after.i == 1:
                walk.close_batch()
        if walk.anchor and walk.anchor != "joined":
            # One past the LF, or past where it belongs.
            if (start + len(line.text) + 1, line.seq, line.link) == walk.anchor:
                walk.anchor = "joined"
            elif line.seq <= walk.anchor[1] or start < walk.anchor[0]:
                return walk.answer(False)
        if walk.has_enough():
            return walk.answer(True)
        if not walk.open_or_continue(line):
            return walk.answer(False)
        stop = start

    if walk.after:
        if not walk.joins(None):
            return walk.answer(False)
        walk.close_batch()
    return walk.answer(True, at_start=True)
