"""Builds session files line by line, for the vectors. Salts are fixed."""
import base64
import hashlib
import json

from blobs import spill
from random_files import with_crc
from sealed_line import LINK_BEFORE_FIRST, SEAL_AT_END, parse, seal_batch, tombstone

SID = "0198c3a1-7d2e-7c4b-9f00-5a1d6e2b7c10"
OTHER = "0198c3a1-7d2e-7c4b-9f00-ffffffffffff"


class Session:
    """A session file in the making. Each line is kept with its LF."""

    def __init__(self, session_id=SID, header=True, payload='{"version":1,"requires":[]}', salt=0):
        self.session_id = session_id.encode()
        self.lines, self.seq, self.link, self.salt = [], 1, LINK_BEFORE_FIRST, salt
        self.blobs = {}   # content by path below blobs/
        if header:
            self.batch(header_body(session_id, payload))

    def salts(self):
        while True:
            made = hashlib.sha256(b"%s/%d" % (self.session_id, self.salt)).digest()
            self.salt += 1
            yield base64.urlsafe_b64encode(made[:12])

    def batch(self, *bodies, mark=b"+"):
        texts, self.link = seal_batch(self.session_id, [b.encode() for b in bodies], self.seq,
                                      mark, self.link, self.salts())
        self.lines += [text + b"\n" for text in texts]
        self.seq += len(bodies)
        return self

    def spilled(self, *bodies, mark=b"+"):
        """A batch whose long strings lie in blobs."""
        stored = []
        for body in bodies:
            short, blobs = spill(body.encode())
            stored.append(short.decode())
            for name, content in blobs.items():
                self.blobs["%s/%s" % (self.session_id.decode(), name)] = content
        return self.batch(*stored, mark=mark)

    def singles(self, *ids, mark=b"+"):
        for name in ids:
            self.batch(message(name), mark=mark)
        return self

    def skip(self, count):
        """Leaves out seqs, as a writer does after damaged lines."""
        self.seq += count
        return self

    def line(self, at):
        return parse(self.session_id, self.lines[at][:-1])

    def edit(self, at, **fields):
        """Replaces fields of a seal and puts the right CRC after them."""
        text = self.lines[at][:-1]
        for name, value in fields.items():
            found = SEAL_AT_END.search(text)
            text = text[:found.start(name)] + value + text[found.end(name):]
        self.lines[at] = with_crc(self.session_id, text) + b"\n"
        return self

    def erase(self, *places, mark_id="r1"):
        targets = []
        for at in places:
            line = self.line(at)
            self.lines[at] = tombstone(self.session_id, line, mark_id) + b"\n"
            targets.append({"id": line.id, "seq": line.seq, "digest": line.digest.hex(),
                            "line": self.line(at).line_hash})
        return self.batch(entry(mark_id, "redaction",
                                json.dumps({"targets": targets}, separators=(",", ":")), "null"))

    def copy(self, salt):
        made = Session(self.session_id.decode(), header=False, salt=salt)
        made.lines, made.seq, made.link = list(self.lines), self.seq, self.link
        made.blobs = dict(self.blobs)
        return made

    def anchor(self, at):
        line = self.line(at)
        return [sum(map(len, self.lines[:at + 1])), line.seq, line.link.decode()]

    def bytes(self):
        return b"".join(self.lines)


def header_body(session_id, payload):
    return ('{"id":"%s","parentId":null,"timestamp":"2026-01-31T08:00:00.000Z",'
            '"type":"session_header","payload":%s' % (session_id, payload))


def entry(name, kind, payload, parent=None, extra=""):
    parent = parent or "null"
    if parent != "null":
        parent = '"%s"' % parent
    return ('{"id":"%s","parentId":%s,"timestamp":"2026-01-31T08:00:01.000Z","type":"%s"%s,'
            '"payload":%s' % (name, parent, kind, extra, payload))


def message(name, text="hello", parent=None):
    return entry(name, "message", '{"role":"user","content":"%s"}' % text, parent)


def flip(data, at, bit=0):
    return data[:at] + bytes([data[at] ^ (1 << bit)]) + data[at + 1:]


def flip_in(line, where=b'"content":"'):
    """One bit of the line changed, in the first byte after `where`."""
    return flip(line, line.index(where) + len(where))


def damaged(session, at, where=b'"content":"'):
    session.lines[at] = flip_in(session.lines[at], where)
    return session
