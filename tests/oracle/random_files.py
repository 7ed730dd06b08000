"""Random session files: sound ones of many shapes, and what can happen to them.

Everything comes from one seeded generator, so a seed and a count name the files.
"""
import base64
import json
import random
import re

from blobs import Ref, hash_of, spelled_list, spill, split_list
from sealed_line import (CRC_TEXT_SIZE, LINK_BEFORE_FIRST, SEAL_AT_END, close_line, parse, seal,
                         seal_batch, tombstone)

_WORDS = ["ls -l", "naïve", "日本語", "\\u0000", "\\ud83d", "\\\"q\\\"", "🙂", "a\\tb", "{",
          "}\\n", ",\\\"seal\\\":\\\"1+.", "1e400", "\u2028"]
# What long strings consist of, and their sizes. The first is the largest that stays in
# its line; few are of that size, since there it is summed again by every reader.
_LONG_UNITS = ["x", "ab ", "\\n", "\\u00e9", "日", "\\\"", "🙂", "{}", "\\\\", ',\\"blobs\\":[[']
_LONG_SIZES = [65536] + 9 * [65537, 65538, 65541, 70000]
_TYPES = ["message", "message", "message", "custom", "model_change", "x_unknown", "label"]


class RandomSession:
    """A sound session file under construction: texts of lines, without LF."""

    def __init__(self, rng, session_id, prefix="e", quotable=(), blobs=None):
        self.rng, self.session_id, self.prefix = rng, session_id, prefix
        self.blobs = blobs        # content by path; None: no string is long
        self.long_strings = []    # of earlier entries, to be used again
        self.quotable = quotable  # lines of another session, to be nested in payloads
        self.texts, self.seq, self.link, self.made = [], 1, LINK_BEFORE_FIRST, 0
        self.mark_id = None
        self.append([b'{"id":"%s","parentId":null,"timestamp":"2026-01-31T08:00:00.000Z",'
                     b'"type":"session_header","payload":{"version":1,"requires":[]}'
                     % session_id], b"+")

    def salts(self):
        while True:
            yield base64.urlsafe_b64encode(self.rng.randbytes(12))

    def append(self, bodies, mark):
        texts, self.link = seal_batch(self.session_id, bodies, self.seq, mark, self.link,
                                      self.salts())
        self.texts += texts
        self.seq += len(bodies)

    def random_body(self):
        rng = self.rng
        self.made += 1
        parent = b"null" if rng.random() < .3 else b'"%s%d"' % (self.prefix.encode(),
                                                               rng.randint(0, self.made))
        words = " ".join(rng.choice(_WORDS) for _ in range(rng.randint(0, 8)))
        payload = '{"text":"%s"' % words + ',"n":%s' % rng.choice(
            ["0", "-0", "1e400", "123456789012345678901234567890", "[[],{}]"])
        if rng.random() < .25:
            nested = rng.choice(list(self.texts) + list(self.quotable))
            payload += ',"quoted":%s' % nested.decode()
        body = '{"id":"%s%d","parentId":%s,"timestamp":"2026-01-31T08:00:00.%03dZ","type":"%s"' % (
            self.prefix, self.made, parent.decode(), self.made % 1000, rng.choice(_TYPES))
        if rng.random() < .1:
            body += ', "meta" : {"k":1,"k":2}'
        elif self.blobs is not None and rng.random() < .2:
            body += ',"m\\u0065ta":{"k":%s}' % self.long_string()
        if self.blobs is not None and rng.random() < .3:
            payload += ',"long":%s' % self.long_value()
        body = (body + ',"payload":' + payload + "}").encode()
        return body if self.blobs is None else self.spilled(body)

    def long_string(self):
        rng = self.rng
        if self.long_strings and rng.random() < .2:
            return rng.choice(self.long_strings)
        unit, size = rng.choice(_LONG_UNITS), rng.choice(_LONG_SIZES)
        times, rest = divmod(size, len(unit.encode()))
        self.long_strings.append('"%s"' % (unit * times + "y" * rest))
        return self.long_strings[-1]

    def long_value(self):
        made = self.long_string()
        return self.rng.choice([made, '[""," ",%s , {"":""}]' % made, "{%s:0}" % made,
                                '{"a":[%s,%s]}' % (made, self.long_string()), '"\\"",%s:""' % made])

    def spilled(self, body):
        """The body as it is stored; at times with a list that is not what it should be."""
        stored, blobs = spill(body)
        for name, content in blobs.items():
            self.blobs["%s/%s" % (self.session_id.decode(), name)] = content
        if not blobs or self.rng.random() < .8:
            return stored
        return self.edited_list(*split_list(stored))

    def edited_list(self, rest, refs):
        rng, at = self.rng, self.rng.randrange(len(refs))
        ref, listed = refs[at], spelled_list(refs)
        edit = rng.randrange(6)
        if edit == 0:
            refs[at] = Ref(rng.choice([0, 1, ref.offset - 1, ref.offset + 1, len(rest),
                                       len(rest) + 9, 10 ** 15, 2 ** 64 - 1]),
                           ref.length, ref.sha256)
        elif edit == 1:
            refs[at] = Ref(ref.offset, rng.choice([0, 1, 65536, ref.length + 1, 2 ** 62,
                                                   2 ** 64 - 1]), ref.sha256)
        elif edit == 2:
            refs[at] = Ref(ref.offset, ref.length, hash_of(b"nobody's"))
        elif edit == 3:
            refs.insert(at, ref)
        elif edit == 4:
            refs.reverse()
        else:
            spelled = ref.spelled()
            return rest + rng.choice([
                listed + b" ", listed.replace(b":", b": "), listed.replace(b"]]", b"],]"),
                listed[:-1] + b",7]", listed.replace(spelled, b"[0" + spelled[1:], 1),
                listed.replace(spelled, spelled.upper() if spelled.upper() != spelled else b"[]"),
                listed + b',"after":0', listed.replace(b"blobs", b"bl\\u006fbs"), listed + listed])
        return rest + spelled_list(refs)

    def append_random(self, batches):
        for _ in range(batches):
            n = self.rng.choice([1, 1, 1, 2, 2, 3, 4, 5])
            mark = b"+" if self.rng.random() < .7 else b"~"
            self.append([self.random_body() for _ in range(n)], mark)

    def erase_random(self, count):
        """Puts tombstones in place of some lines and appends the mark that says so."""
        self.made += 1
        mark_id, targets = "%sr%d" % (self.prefix, self.made), []
        for at in self.rng.sample(range(len(self.texts)), min(count, len(self.texts))):
            line = parse(self.session_id, self.texts[at])
            if (line.is_tombstone or line.id is None
                    or line.entry["type"] in ("session_header", "redaction")):
                continue
            self.texts[at] = tombstone(self.session_id, line, mark_id)
            stone = parse(self.session_id, self.texts[at])
            targets.append({"id": line.id, "seq": line.seq, "digest": line.digest.hex(),
                            "line": stone.line_hash})
        body = {"id": mark_id, "parentId": None, "timestamp": "2026-01-31T09:00:00.000Z",
                "type": "redaction", "payload": {"targets": targets}}
        self.append([json.dumps(body, separators=(",", ":")).encode()[:-1]], b"+")

    def copy(self, prefix):
        other = object.__new__(RandomSession)
        other.__dict__.update(self.__dict__, texts=list(self.texts), prefix=prefix)
        return other

    def bytes(self):
        return b"".join(text + b"\n" for text in self.texts)


def with_crc(session_id, text):
    """The same text with the CRC that it ought to have."""
    return close_line(session_id, text[:-CRC_TEXT_SIZE])


# Damages. Each takes the bytes of a file and gives them back changed.

class Damage:
    def __init__(self, rng, session_id, sound, other):
        self.rng, self.session_id, self.sound, self.other = rng, session_id, sound, other

    def place(self, data):
        """An offset; half of the time near the end, where recovery decides."""
        if self.rng.random() < .5:
            return max(0, len(data) - 1 - int(self.rng.expovariate(1 / 120)))
        return self.rng.randrange(len(data)) if data else 0

    def lines(self, data):
        return re.findall(rb"[^\n]*\n|[^\n]+", data)

    def some_line(self, lines):
        if self.rng.random() < .4:
            return max(0, len(lines) - 1 - self.rng.randrange(3))
        return self.rng.randrange(len(lines))

    def bit_flip(self, data):
        at = self.place(data)
        return data[:at] + bytes([data[at] ^ (1 << self.rng.randrange(8))]) + data[at + 1:]

    def byte_change(self, data):
        at = self.place(data)
        byte = self.rng.choice([0, 10, 13, 32, 34, 48, 123, 125, self.rng.randrange(256)])
        return data[:at] + bytes([byte]) + data[at + 1:]

    def deletion(self, data):
        at = self.place(data)
        return data[:at] + data[at + self.rng.choice([1, 1, 2, 9, 80, 300]):]

    def insertion(self, data):
        at = self.place(data)
        size = self.rng.choice([1, 1, 2, 8, 9, 70])
        extra = self.rng.choice([self.rng.randbytes(size), b"{" * size, b"\n" * size, bytes(size)])
        return data[:at] + extra + data[at:]

    def truncation(self, data):
        return data[:self.place(data)]

    def nul_run(self, data):
        at, size = self.place(data), self.rng.choice([1, 7, 8, 9, 64, 200])
        return data[:at] + bytes(size) + data[at + size * self.rng.randint(0, 1):]

    def nul_tail(self, data):
        at = self.place(data)
        return data[:at] + bytes(self.rng.choice([3, 8, 64, 300])) + self.rng.choice(
            [b"", b"\n", b'"}\n'])

    def sector(self, data):
        size = self.rng.choice([16, 64, 512])
        at = self.place(data) // size * size
        fill = self.rng.choice([bytes(size), b"\xff" * size, self.rng.randbytes(size),
                                bytes(self.rng.choice(b'{}"\n,:ax0') for _ in range(size))])
        return data[:at] + fill[:max(0, len(data) - at)] + data[at + size:]

    def lost_line_end(self, data):
        ends = [k for k, byte in enumerate(data) if byte == 10]
        if not ends:
            return data
        at = self.rng.choice(ends[-3:] if self.rng.random() < .4 else ends)
        return data[:at] + self.rng.choice([b"", b"x", b" ", b"{", b"\x00", b"\r"]) + data[at + 1:]

    def all_line_ends_lost(self, data):
        return data.replace(b"\n", self.rng.choice([b"", b" ", b"{"]))

    def crlf(self, data):
        return data.replace(b"\n", b"\r\n")

    def lost_final_line_end(self, data):
        return data[:-1] if data.endswith(b"\n") else data

    def line_deleted(self, data):
        lines = self.lines(data)
        if lines:
            del lines[self.some_line(lines)]
        return b"".join(lines)

    def line_twice(self, data):
        lines = self.lines(data)
        if lines:
            at = self.some_line(lines)
            lines.insert(at, lines[at])
        return b"".join(lines)

    def lines_swapped(self, data):
        lines = self.lines(data)
        if len(lines) > 1:
            a, b = self.rng.sample(range(len(lines)), 2)
            if self.rng.random() < .6:
                b = a + 1 if a + 1 < len(lines) else a - 1
            lines[a], lines[b] = lines[b], lines[a]
        return b"".join(lines)

    def replay(self, data):
        lines = self.lines(data)
        if lines:
            at = self.some_line(lines)
            lines += lines[at:at + self.rng.randint(1, 4)]
        return b"".join(lines)

    def foreign_session(self, data):
        lines, other = self.lines(data), self.lines(self.other)
        at = self.rng.randint(0, len(lines))
        take = self.rng.randrange(len(other))
        lines[at:at] = other[take:take + self.rng.randint(1, 4)]
        return b"".join(lines)

    def stray_lines(self, data):
        lines = self.lines(data)
        for _ in range(self.rng.randint(1, 3)):
            lines.insert(self.rng.randint(0, len(lines)), self.rng.choice([
                b'{"id":"f","type":"note"}\n', b"[1,2]\n", b"\n", b" \t\n", b"not json\n",
                b'{"id":"f","seal":"hello"}\n', b'{"id":"f","s\\u0065al":1}\n', b"\r\n", b"7\n",
                b'{"a":{"id":"n","seal":"1+.5.1/1.AAAAAAAAAAAAAAAA.' + b"A" * 32
                + b'.00000000"}}\n', b"\xff\xfe\n", b"[" * 129 + b"]" * 129 + b"\n",
                b'{"q":"1+.2.1/1.zz"}\n', b"NaN\n", b"1" * 5000 + b"\n"]))
        return b"".join(lines)

    def seal_edited(self, data):
        """One field of a seal changed, with or without a CRC to match."""
        lines = self.lines(data)
        sealed = [k for k, line in enumerate(lines) if parse(self.session_id, line[:-1])]
        if not sealed:
            return data
        at = self.rng.choice(sealed[-3:] if self.rng.random() < .4 else sealed)
        text = lines[at][:-1]
        found = SEAL_AT_END.search(text)
        rng = self.rng
        group, new = rng.choice([
            ("head", rng.choice([b"2", b"3", b"9", b"10", b"12", b"0", b"01"]) + found["head"][1:]),
            ("mark", b"~" if found["mark"] == b"+" else b"+"),
            ("seq", b"0" + found["seq"]), ("i", b"0" + found["i"]), ("n", b"0" + found["n"]),
            ("seq", b"%d" % (int(found["seq"]) + rng.choice([-1, 1, 3, 900]))),
            ("i", b"%d" % (int(found["i"]) + rng.choice([-1, 1]))),
            ("n", b"%d" % rng.choice([1, 2, 3, 1024, 1025, 9999])),
            ("salt", b"x"), ("crc", found["crc"].upper()),
            ("link", bytes(reversed(found["link"])))])
        text = text[:found.start(group)] + new + text[found.end(group):]
        if group != "crc" and rng.random() < .7:
            text = with_crc(self.session_id, text)
        lines[at] = text + b"\n"
        return b"".join(lines)

    def line_resealed(self, data):
        """A line replaced by another one that is sound but not the one chained to."""
        lines = self.lines(data)
        at = self.some_line(lines) if lines else 0
        line = parse(self.session_id, lines[at][:-1]) if lines else None
        if line:
            lines[at] = seal(self.session_id, line.body, line.seq, line.i, line.n, line.mark,
                             line.link, b"AAAAAAAAAAAAAAAA")[0] + b"\n"
        return b"".join(lines)

    def secretly_erased(self, data):
        """A tombstone that no redaction names, or the other way round."""
        lines = self.lines(data)
        at = self.some_line(lines) if lines else 0
        line = parse(self.session_id, lines[at][:-1]) if lines else None
        if line and not line.is_tombstone and line.id:
            lines[at] = tombstone(self.session_id, line, "e1") + b"\n"
        return b"".join(lines)

    def tombstone_edited(self, data):
        lines = self.lines(data)
        for at, text in enumerate(lines):
            line = parse(self.session_id, text[:-1])
            if line and line.is_tombstone:
                old, new = self.rng.choice([(b"1+.", b"1~."), (b"1~.", b"1+."),
                                            (b'"message"', b'"massage"'),
                                            (b'{"id":"e', b'{"id":"q')])
                changed = with_crc(self.session_id, text[:-1].replace(old, new, 1))
                lines[at] = changed + b"\n"
        return b"".join(lines)

    def diverged_tail(self, data):
        """Two continuations of one session, one after the other."""
        ours, theirs = self.sound.copy("a"), self.sound.copy("b")
        ours.append_random(self.rng.randint(0, 3))
        theirs.append_random(self.rng.randint(1, 4))
        tail = self.lines(theirs.bytes())
        common = len(self.sound.texts)
        return ours.bytes() + b"".join(tail[self.rng.randint(max(0, common - 2), len(tail) - 1):])

    def unfinished_batch(self, data):
        """The first lines of one more batch, sometimes after lines that were lost."""
        more = self.sound.copy("u")
        more.seq += self.rng.choice([0, 0, 0, 1, 4])
        n = self.rng.randint(2, 5)
        before = len(more.texts)
        more.append([more.random_body() for _ in range(n)], self.rng.choice([b"+", b"~"]))
        keep = more.texts[before:][:self.rng.randint(1, n)]
        if self.rng.random() < .3:
            keep = keep[self.rng.randrange(len(keep)):]
        return data + b"".join(text + b"\n" for text in keep)

    def batch_skips(self, data):
        """A later writer goes on after a hole, as F8.2 asks, or repeats ids."""
        more = self.sound.copy(self.rng.choice(["s", "e"]))
        more.made = self.rng.choice([0, more.made])
        more.seq += self.rng.randint(1, 6)
        before = len(more.texts)
        more.append_random(self.rng.randint(1, 3))
        return data + b"".join(text + b"\n" for text in more.texts[before:])


DAMAGES = [name for name in vars(Damage)
           if not name.startswith("_") and name not in ("place", "lines", "some_line")]


def damage_blobs(rng, blobs):
    """Some are gone, some are not what they were."""
    for path, content in list(blobs.items()):
        if rng.random() < .8:
            continue
        at = rng.randrange(len(content))
        changed = rng.choice([None, None, content[:at], content + b"x", b"",
                              content[:at] + bytes([content[at] ^ 1]) + content[at + 1:],
                              rng.choice(list(blobs.values()))])
        blobs[path] = changed
        if changed is None:
            del blobs[path]


class RandomFile:
    """One file with its session id, its blobs, an anchor and the damages it went
    through. Few have blobs: a long string costs as much as a file without."""

    def __init__(self, rng):
        self.session_id = rng.choice([b"s", b"0198c3a1-7d2e-7c4b-9f00-5a1d6e2b7c10",
                                      b"A_b-9" * 19 + b"Zz_1"])
        self.blobs = {} if rng.random() < .05 else None
        other = RandomSession(rng, b"other-session", "o", blobs=self.blobs)
        other.append_random(rng.randint(1, 3))
        sound = RandomSession(rng, self.session_id, quotable=other.texts, blobs=self.blobs)
        for _ in range(rng.choice([0, 1, 2, 2, 3])):
            sound.append_random(rng.randint(0, 3))
            if rng.random() < .3:
                sound.erase_random(rng.randint(1, 4))
        self.data = sound.bytes()
        self.anchor = self._some_anchor(rng, sound)
        damage = Damage(rng, self.session_id, sound, other.bytes())
        self.damages = [rng.choice(DAMAGES) for _ in range(rng.choice([0, 1, 1, 1, 2, 2, 3, 4]))]
        for name in self.damages:
            if self.data:
                self.data = getattr(damage, name)(self.data)
        if self.blobs:
            damage_blobs(rng, self.blobs)
            if rng.random() < .05:
                self.session_id = b"called-otherwise"

    def _some_anchor(self, rng, sound):
        if rng.random() < .1:
            return [0, 0, LINK_BEFORE_FIRST.decode()]
        at = rng.randrange(len(sound.texts))
        end = sum(len(text) + 1 for text in sound.texts[:at + 1])
        line = parse(self.session_id, sound.texts[at])
        return [end, line.seq, line.link.decode()]


def random_files(seed, count):
    for k in range(count):
        yield RandomFile(random.Random("%s/%d" % (seed, k)))
