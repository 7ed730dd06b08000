"""Step two of reading: folding the pieces of a file into a session (F7, F8).

The fold walks over the sound lines in the order of the file and decides which
batches are committed. All other pieces only leave a report.
"""
from dataclasses import dataclass, field

from pieces import pieces
from sealed_line import LINK_BEFORE_FIRST, link_of

LOST_LINES = ("damaged", "nul")  # these held a line, so they cost a seq


@dataclass
class Problem:
    kind: str
    offset: int
    line: int           # number of the physical line; 0 where only the seq tells the place
    detail: object = None


@dataclass
class Returned:
    """A sound line that the fold hands to the reader."""
    piece: object
    flagged: bool       # its batch is not whole

    @property
    def line(self):
        return self.piece.line


@dataclass
class Next:
    """What the next batch is chained to (F8.2)."""
    seq: int
    link: bytes
    hole: bool          # something damaged lies after the last committed batch


@dataclass
class Scan:
    entries: list = field(default_factory=list)   # Returned, in the order of the file
    problems: list = field(default_factory=list)
    end: int = 0        # after the last committed batch
    cut: int = 0        # the torn end begins here; the size of the file if there is none
    newer: bool = False
    uncut: Next = None  # as the file is
    next: Next = None   # once the torn end is cut

    @property
    def committed(self):
        return [r.line for r in self.entries if not r.flagged]


class Fold:
    def __init__(self, session_id, at_rest):
        self.session_id, self.at_rest = session_id, at_rest
        self.out = Scan()
        self.last_seq, self.last_link = 0, LINK_BEFORE_FIRST
        self.open = []          # pieces of the batch that is not finished yet
        self.open_is_whole = True
        self.waiting = []       # pieces of parts, until a later batch commits
        self.highest_part = 0   # the last seq that a part was meant to have
        self.lost_lines = 0     # since the last sound line
        self.unjudged = []      # missing ranges before the first batch that starts after them

    def report(self, kind, piece, detail=None):
        self.out.problems.append(Problem(kind, piece.start, piece.number, detail))

    def report_part(self, piece, when):
        self.report("part", piece, [self.open[0].line.seq, self.open[-1].line.seq, when])

    def take(self, piece):
        if piece.line:
            if piece.kind != "sound":
                self.report("line_end", piece, piece.line.seq)
            self.take_line(piece)
            return
        self.report(piece.kind, piece)
        self.out.newer |= piece.kind == "newer"
        self.lost_lines += piece.kind in LOST_LINES

    def take_line(self, piece):
        line = piece.line
        if line.seq <= self.last_seq:
            self.report("repeated", piece, line.seq)
            return
        if self.open and self.open[0].line.batch != line.batch:
            self.report_part(piece, "before")
            self.close_batch(committed=False)

        is_linked = link_of(self.last_link, line.digest) == line.link
        is_adjacent = line.seq == self.last_seq + 1
        if not self.open:
            self.open_is_whole = line.i == 1
        elif not (is_linked and is_adjacent):
            self.open_is_whole = False
        if not is_adjacent:
            missing = [self.last_seq + 1, line.seq - 1, "unknown"]
            self.report("missing", piece, missing)
            self.unjudged.append(missing)
        elif not is_linked:
            self.report("out_of_chain", piece, line.seq)
        if line.i == 1:
            for missing in self.unjudged:
                missing[2] = "corruption" if line.mark == b"+" else "power_cut"
            self.unjudged = []

        self.open.append(piece)
        self.last_seq, self.last_link, self.lost_lines = line.seq, line.link, 0
        if line.i == line.n:
            committed = self.open_is_whole and len(self.open) == line.n
            if not committed:
                self.report_part(piece, "this")
            self.close_batch(committed)

    def close_batch(self, committed):
        if committed:
            self.out.entries += [Returned(p, flagged=True) for p in self.waiting]
            self.out.entries += [Returned(p, flagged=False) for p in self.open]
            self.out.end = self.open[-1].end
            self.waiting = []
        else:
            self.waiting += self.open
            self.reserve_open()
        self.open = []

    def reserve_open(self):
        before, n = self.open[0].line.batch
        self.highest_part = max(self.highest_part, before + n)

    def finish(self, all_pieces, size):
        out = self.out
        torn_from = size if out.newer else self.torn_end(all_pieces, size)
        out.cut = torn_from if self.at_rest else size
        if self.open:
            # A batch whose write was cut short was never there; else part of it is lost.
            is_torn = torn_from <= self.open[-1].start
            self.report("torn" if is_torn else "part", all_pieces[-1],
                        [self.open[0].line.seq, self.open[-1].line.seq, "end"])
            self.reserve_open()
        out.uncut = Next(1 + max(self.last_seq + self.lost_lines, self.highest_part),
                         self.last_link,
                         bool(self.lost_lines or self.waiting or self.open))
        return out

    def torn_end(self, all_pieces, size):
        cut, uncommitted = size, set()
        if self.open_is_whole:
            uncommitted = {piece.line.seq for piece in self.open}
        for piece in reversed(all_pieces):
            # By seq: a second copy of such a line was never committed either.
            is_of_open = piece.line is not None and piece.line.seq in uncommitted
            if piece.kind not in ("torn", "nul") and not is_of_open:
                break
            cut = piece.start
        return cut


def scan(data, session_id, at_rest=True):
    """Reads a whole file. `at_rest`: a lock is held, so nobody is writing. Else last
    bytes without LF are not there yet, and nothing is cut."""
    out = _folded(data, session_id, at_rest)
    left = data[:out.cut]
    out.next = out.uncut if left == data else _folded(left, session_id, at_rest).uncut
    _drop_what_is_no_entry(out)
    _drop_superseded(out)
    _account_for_tombstones(out)
    return out


def _folded(data, session_id, at_rest):
    fold, every_piece = Fold(session_id, at_rest), list(pieces(data, session_id))
    if not at_rest and every_piece and every_piece[-1].kind in ("unended", "torn"):
        every_piece.pop()
    for piece in every_piece:
        fold.take(piece)
    return fold.finish(every_piece, len(data))


def _drop_what_is_no_entry(out):
    """The seal vouches for bytes; that they are an entry is looked at here (F7.5)."""
    for returned in out.entries:
        if not returned.line.is_entry:
            piece = returned.piece
            out.problems.append(Problem("not_an_entry", piece.start, piece.number,
                                        returned.line.seq))
    out.entries = [returned for returned in out.entries if returned.line.is_entry]


def _drop_superseded(out):
    """A flagged entry that was appended again in a whole batch gives way to it."""
    known = {line.id for line in out.committed}
    out.entries = [r for r in out.entries if not (r.flagged and r.line.id in known)]


def _account_for_tombstones(out):
    named = {}  # seq -> what redactions say about the line with that seq
    for returned in out.entries:
        line = returned.line
        if line.entry.get("type") == "redaction" and not line.is_tombstone:
            targets = line.payload.get("targets")
            for target in targets if isinstance(targets, list) else ():
                if isinstance(target, dict) and isinstance(target.get("seq"), int):
                    named.setdefault(target["seq"], []).append(
                        (target.get("digest"), target.get("line")))
    unaccounted, not_erased = [], []
    for returned in out.entries:
        line, piece = returned.line, returned.piece
        if line.is_tombstone:
            if (line.digest.hex(), line.line_hash) not in named.get(line.seq, ()):
                unaccounted.append(Problem("unaccounted", piece.start, piece.number, line.seq))
        elif line.seq in named:
            not_erased.append(Problem("not_erased", 0, 0, line.seq))
    out.problems += unaccounted + not_erased
