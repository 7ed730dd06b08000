"""The cases of tests/vectors/manifest.json. Each states by hand what a reader must
return and report; make_vectors.py holds the oracle against it."""
from random_files import with_crc
from sealed_line import close_line, seal
from session_builder import (OTHER, SID, Session, damaged, entry, flip_in, header_body, message)

CASES = []


def case(name, rule, shows, data, returned, problems, sid=SID, state="ok", why=None, tail=(),
         hole=False, cut=None, newer=False, parts=None, version_0=None, blobs=None, **more):
    """`returned`: seqs in order, f = flagged, e = erased. `problems`: kinds in order,
    with the detail after a colon where the case is about it. `cut`: how many bytes
    at the end are torn."""
    CASES.append(dict(locals()))


def plain_cases():
    case("empty", "F11.6", "A file of no bytes: no session, and nothing is appended.", b"", "", "",
         state="read_only", why="no_header")
    case("header-only", "F4.1", "A session without entries: tail and head are absent.",
         Session().bytes(), "1", "")
    case("header-full", "F4.1", "Every member a header payload can have, and one nobody knows.",
         Session(payload='{"version":1,"requires":[],"key":"main:cli:demo","cwd":"/home/näh",'
                 '"parent":{"sessionId":"%s","entryId":"e9"},"origin":{"agent":"pi","sessionId":'
                 '"a/b c","version":"0.9","gitBranch":"main"},"x-unknown":[1]}' % OTHER).bytes(),
         "1", "")
    case("single-batches", "F5", "Batches of one entry.",
         Session().singles("e1", "e2", "e3").bytes(), "1 2 3 4", "")
    multi = Session()
    multi.batch(message("e1"), message("e2", parent="e1"), message("e3", parent="e2"))
    multi.batch(message("e4"), message("e5"))
    multi.batch(*[message("e%d" % k) for k in range(6, 11)])
    case("multi-batch", "F5", "Batches of 1, 3, 2 and 5 entries.", multi.bytes(),
         "1 2 3 4 5 6 7 8 9 10 11", "", tail=[(1, None), (2, None), (99, None),
                                              (1, multi.anchor(3))])
    case("tilde-marks", "F8.3", "Batches whose writer did not know everything before them to be "
         "durable. That is no problem as long as nothing is missing.",
         Session().singles("e1", mark=b"~").batch(message("e2"), message("e3"), mark=b"~").bytes(),
         "1 2 3 4", "")
    types = Session()
    types.batch(entry("i1", "runtime_init", '{"systemPrompt":"be brief","tools":[]}'),
                entry("m1", "message", '{"role":"user","content":[{"type":"text","text":"hi"}]}',
                      "i1", ',"runId":"run-1","meta":{"k":"v"}'),
                entry("t1", "tool_run", '{"callId":"call_1","name":"bash"}'))
    types.batch(entry("d1", "message_delta_batch", '{"messageId":"m2","deltas":["a","b"]}', "m1"),
                entry("c1", "model_change",
                      '{"api":"anthropic-messages","provider":"p","model":"m"}', "d1"),
                entry("l1", "thinking_level_change", '{"level":"high"}', "c1"),
                entry("o1", "system_prompt_override", '{"systemPrompt":null}', "l1"))
    types.batch(entry("s1", "compaction_summary",
                      '{"summary":"so far","firstKeptEntryId":"m1","settings":{"model":{"api":'
                      '"anthropic-messages","provider":"p","model":"m"},"thinkingLevel":"high",'
                      '"systemPrompt":"be brief"}}', "o1"))
    types.batch(entry("b1", "branch_summary", '{"summary":"tried","sourceSessionId":"%s",'
                      '"sourceEntryId":"e4"}' % OTHER, "s1"))
    types.batch(entry("u1", "x_custom", '{"any":1}', "b1"), entry("k1", "custom", "{}", "u1"))
    types.batch(entry("n1", "session_info", '{"title":"demo","tags":["a"],"expiresAt":'
                      '"2027-01-01T00:00:00.000Z"}'),
                entry("a1", "label", '{"target":"m1","name":"start"}'))
    case("every-type", "F4", "One entry of each type, and of a type nobody knows, which is a tree "
         "entry. The marks at the end move neither tail nor head.", types.bytes(),
         " ".join(str(k) for k in range(1, 15)), "", expect_tail="k1", expect_head="k1")
    heads = Session().batch(message("e1"), message("e2", parent="e1"))
    heads.batch(entry("h1", "head", '{"target":"e1"}'))
    case("head-mark", "F4.4", "A head mark as last entry: it is the tail, its target is the head.",
         heads.bytes(), "1 2 3 4", "", expect_tail="h1", expect_head="e1")
    case("head-mark-null", "F4.4", "The head before the first entry.",
         heads.copy(50).batch(entry("h2", "head", '{"target":null}')).bytes(), "1 2 3 4 5", "",
         expect_tail="h2", expect_head=None)
    case("head-mark-unknown-target", "F4.4", "The target may be an entry that was damaged since: "
         "it is the head all the same.",
         heads.copy(51).batch(entry("h3", "head", '{"target":"nobody"}')).bytes(), "1 2 3 4 5", "",
         expect_tail="h3", expect_head="nobody")
    case("head-mark-without-target", "F4.4", "A head mark that names no target moves nothing.",
         heads.copy(52).batch(entry("h4", "head", '{"target":7}')).bytes(), "1 2 3 4 5", "",
         expect_tail="h4", expect_head="e1")
    odd = Session()
    odd.batch(message("e1", "\\u0000 \\ud800 \\udc00\\ud83d \\/ \u2028 \ufeff \U0001f642 \x7f"))
    odd.batch(entry("e2", "custom", '{"a":1,"a":2,"\\u0061":3,"n":-0,"big":'
                    '123456789012345678901234567890,"huge":1e400,"tiny":1E-400,"f":1.0}'))
    odd.batch('{ "id" : "e3"\t,"parentId":null,"timestamp":"2026-01-31T08:00:01.000Z","type":'
              '"custom","payload":{ } ')
    odd.batch(entry("Z" * 99, "custom", '{"deep":%s%s}' % ("[" * 126, "]" * 126)))
    case("oddities-kept", "F3.1", "Texts that JSON libraries refuse or change: escaped NUL, lone "
         "surrogates, duplicate names, long and huge numbers, white space, depth 128, an id of "
         "99 characters. The bytes are the entry.", odd.bytes(), "1 2 3 4 5", "")


def torn_cases():
    base = Session().singles("e1", "e2")
    whole = base.copy(10).singles("e3")
    last = whole.lines[-1]
    for name, keep, shows in (
            ("torn-first-byte", 1, "One byte of a new line."),
            ("torn-in-body", 40, "A line cut in its body."),
            ("torn-before-seal", last.index(b',"seal"'), "A line cut before its seal."),
            ("torn-in-seal", last.index(b',"seal"') + 30, "A line cut in its seal."),
            ("torn-in-crc", len(last) - 6, "A line cut in its CRC."),
            ("torn-at-brace", len(last) - 2, "A line that lacks the brace and the LF.")):
        case(name, "F6.2 row 7, F8.1", shows, base.bytes() + last[:keep], "1 2 3", "torn", cut=keep)
    case("torn-spaces", "F6.2 row 7", "White space without LF at the end is torn, not blank.",
         base.bytes() + b"  ", "1 2 3", "torn", cut=2)
    batch = base.copy(20).batch(message("e3"), message("e4"), message("e5"))
    three = batch.lines[-3:]
    case("torn-batch-third-line", "F8.1", "Two whole lines of a batch of three and a torn one: "
         "all of it is the torn end.", base.bytes() + three[0] + three[1] + three[2][:50],
         "1 2 3", "torn torn:end", cut=len(three[0]) + len(three[1]) + 50)
    case("torn-batch-at-line-end", "F8.1", "A batch that lost its last line exactly.",
         base.bytes() + three[0] + three[1], "1 2 3", "torn:end", cut=len(three[0]) + len(three[1]))
    case("torn-batch-lost-line-end", "F8.1", "Lines 1 and 2 of 3, the second without LF.",
         base.bytes() + three[0] + three[1][:-1], "1 2 3", "line_end torn:end",
         cut=len(three[0]) + len(three[1]) - 1)
    case("torn-batch-then-nul", "F8.1", "Lines 1 and 2 of 3, then a line of NULs.",
         base.bytes() + three[0] + three[1] + bytes(100) + b"\n", "1 2 3", "nul torn:end",
         cut=len(three[0]) + len(three[1]) + 101)
    after_lost = base.copy(30).skip(1).batch(message("e4"), message("e5"), mark=b"~").lines[-2]
    case("torn-after-lost-batch", "F8.1", "A batch became NULs and the next one is not finished: "
         "a power cut before either was synced. All of it is the torn end.",
         base.bytes() + bytes(64) + b"\n"
         + after_lost, "1 2 3", "nul missing:power_cut torn:end", cut=65 + len(after_lost))
    case("unfinished-not-torn", "F8.1", "Lines 2 and 3 of 3 are sound, line 1 is damaged: complete "
         "lines that were perhaps acknowledged. Nothing is cut, nothing is returned yet, and the "
         "next batch leaves out the seqs of this one.",
         base.bytes() + flip_in(three[0]) + three[1] + three[2], "1 2 3",
         "damaged missing:unknown part:this", hole=True)
    case("unfinished-then-damaged", "F8.1", "A damaged line after lines 1 and 2 of 3 ends the "
         "torn end before it begins.", base.bytes() + three[0] + three[1] + flip_in(three[2]),
         "1 2 3", "damaged part:end", hole=True)
    case("unfinished-then-foreign", "F8.1", "A foreign line after lines 1 and 2 of 3: nothing is "
         "cut.", base.bytes() + three[0] + three[1] + b'{"note":1}\n', "1 2 3", "foreign part:end",
         hole=True)
    case("torn-batch-repeated", "F8.1", "Line 1 of the open batch once more at the end: the copy "
         "was not committed either, so it belongs to the torn end.",
         base.bytes() + three[0] + three[1] + three[0], "1 2 3", "repeated:4 torn:end",
         cut=2 * len(three[0]) + len(three[1]))
    two = base.copy(40)
    two.batch(message("a1"), message("a2"), message("a3"))
    first = two.lines[3:5]
    two.batch(message("b1"), message("b2"))
    case("unfinished-twice", "F8.1", "Lines 1 and 2 of 3, then line 1 of 2 of another batch. Only "
         "the open batch is torn.", base.bytes() + b"".join(first) + two.lines[6], "1 2 3",
         "part:before missing:corruption torn:end", cut=len(two.lines[6]), hole=True)


def nul_cases():
    base = Session().singles("e1", "e2")
    case("nul-tail", "F6.2 row 7", "NULs without LF at the end.", base.bytes() + bytes(300),
         "1 2 3", "torn", cut=300)
    case("nul-tail-with-lf", "F6.2 row 9, F8.1", "Eight NULs and LF at the end of the file: torn.",
         base.bytes() + bytes(8) + b"\n", "1 2 3", "nul", cut=9)
    case("nul-tail-with-rest-of-line", "F6.2 row 9", "The front of the last line became NULs, its "
         "end survived without a seal.", base.bytes() + bytes(40) + b'"}}\n', "1 2 3", "nul",
         cut=44)
    case("nul-seven", "F6.2 row 11", "Seven NULs and LF: damage, since a run starts at eight.",
         base.bytes() + bytes(7) + b"\n", "1 2 3", "damaged", hole=True)
    case("nul-in-middle", "F6.2 row 9", "NULs before a later batch: damage that is never cut.",
         base.bytes() + bytes(64) + b"\n" + base.copy(10).singles("e3").lines[-1], "1 2 3 4", "nul")
    text = base.lines[2]
    at = text.index(b'"content"')
    case("nul-in-sealed-line", "F6.2 row 11", "A run of NULs inside the last line, whose end still "
         "looks like a seal: damage, not torn.",
         b"".join(base.lines[:2]) + text[:at] + bytes(16) + text[at + 16:], "1 2", "damaged",
         hole=True)
    case("nul-single-in-sealed-line", "F6.2 row 11", "One byte of the last acknowledged line "
         "became NUL.", b"".join(base.lines[:2]) + text[:at] + bytes(1) + text[at + 1:], "1 2",
         "damaged", hole=True)


def line_end_cases():
    base = Session().singles("e1").batch(message("e2"), message("e3"))
    case("lost-final-lf", "F6.2 row 4", "The last line lacks its LF and is sound. At rest it "
         "counts and is not cut; the next write starts with LF. A reader without a lock waits.",
         base.bytes()[:-1], "1 2 3 4", "line_end", unrested="1 2", unrested_problems="torn:end")
    case("crlf", "F6.2 row 2", "Somebody wrote CR LF. Everything is returned; the tail reader "
         "hands over to the scan.", base.bytes().replace(b"\n", b"\r\n"), "1 2 3 4",
         "line_end line_end line_end line_end")
    case("blank-lines", "F6.2 row 8", "Empty lines and lines of white space.",
         b"\n" + base.lines[0] + b" \t\n" + base.lines[1] + base.lines[2] + b"\r\n"
         + base.lines[3] + b"\n", "1 2 3 4", "blank blank blank blank")
    case("fused-space", "F6.2 row 2", "An LF became a space.",
         base.lines[0] + base.lines[1][:-1] + b" " + base.lines[2] + base.lines[3], "1 2 3 4",
         "line_end")
    case("fused-nothing", "F6.2 row 2", "An LF is gone.",
         base.lines[0] + base.lines[1][:-1] + base.lines[2] + base.lines[3], "1 2 3 4", "line_end")
    case("fused-brace", "F6.2 row 2", "An LF became an opening brace: {{ is one lost LF and the "
         "next line.", base.lines[0] + base.lines[1][:-1] + b"{" + base.lines[2] + base.lines[3],
         "1 2 3 4", "line_end")
    case("fused-brace-at-end", "F6.2 row 2", "The final LF became an opening brace: no byte "
         "follows it, so it is the lost LF and nothing is torn.", base.bytes()[:-1] + b"{",
         "1 2 3 4", "line_end")
    case("fused-brace-line", "F6.2 row 2", "A lone brace before LF is a piece of its own.",
         base.bytes()[:-1] + b"{\n", "1 2 3 4", "line_end damaged", hole=True)
    case("fused-with-damaged", "F6.2 row 2", "Two lines became one and the second is damaged too.",
         base.lines[0] + base.lines[1][:-1] + b" " + flip_in(base.lines[2]) + base.lines[3],
         "1 2", "line_end damaged missing:unknown part:this", hole=True)
    case("fused-after-garbage", "F6.2 row 11", "A sound line is looked for at the start of a "
         "physical line only.", base.lines[0] + b"xx" + base.lines[1] + base.lines[2]
         + base.lines[3], "1 3 4", "damaged missing:corruption")
    case("fused-at-end", "F6.2 rows 2 and 7", "A lost LF in front of a torn line.",
         base.bytes()[:-1] + b" " + base.lines[1][:60], "1 2 3 4", "line_end torn", cut=60)
    many = Session()
    for k in range(1030):
        many.batch('{"id":"e%d","type":"custom"' % k)
    after = many.copy(2000)
    after.seq, after.link = 1026, many.line(1023).link
    case("fused-1031", "F3.6", "1,031 lines in one physical line: 1,024 are split out, the rest "
         "is one damaged line. The batch after it leaves out one seq.",
         many.bytes().replace(b"\n", b" ")[:-1] + b"\n"
         + after.singles("later", mark=b"~").lines[-1],
         " ".join(str(k) for k in list(range(1, 1025)) + [1026]),
         " ".join(["line_end"] * 1024) + " damaged missing:power_cut")


def foreign_cases():
    base = Session().singles("e1").batch(message("e2"), message("e3")).singles("e4")
    for name, line, shows in (
            ("foreign-object", b'{"id":"f","type":"note","text":"by hand"}\n', "An object"),
            ("foreign-array", b"[1,2]\n", "An array"),
            ("foreign-scalar", b" null \n", "A word"),
            ("foreign-nested-seal", b'{"a":{"seal":"1+.2.1/1.zz"},"b":1}\n',
             "An object with a member seal further inside")):
        case(name, "F6.2 row 10", shows + " between two batches: reported, not returned, left in "
             "its place.", b"".join(base.lines[:2]) + line + b"".join(base.lines[2:]),
             "1 2 3 4 5", "foreign")
    case("foreign-inside-batch", "F6.2 row 10", "A foreign line between the lines of a batch does "
         "not undo it.", b"".join(base.lines[:3]) + b'{"note":1}\n' + b"".join(base.lines[3:]),
         "1 2 3 4 5", "foreign")
    case("foreign-at-end", "F8.1", "A foreign line at the end is not torn.",
         base.bytes() + b'{"note":1}\n', "1 2 3 4 5", "foreign")
    case("foreign-first", "F4.1", "A foreign line before the header.",
         b'{"note":1}\n' + base.bytes(), "1 2 3 4 5", "foreign")
    for name, line, shows in (
            ("not-foreign-seal-member", b'{"id":"f","seal":"hello"}\n', "a top-level member seal"),
            ("not-foreign-escaped-seal", b'{"id":"f","s\\u0065al":1,"z":1}\n',
             "a top-level member seal, spelled with an escape"),
            ("not-foreign-seal-like", b'{"id":"f","zeal":"1+.5.1/1.zz"}\n',
             "a last string that looks like a seal"),
            ("not-foreign-too-deep", b"[" * 129 + b"]" * 129 + b"\n", "a depth of 129"),
            ("not-foreign-nan", b'{"a":NaN}\n', "a word that JSON does not have"),
            ("not-foreign-utf8", b'{"a":"\xff"}\n', "bytes that are not UTF-8")):
        case(name, "F6.2 row 11", "A line with %s is damage, not foreign." % shows,
             b"".join(base.lines[:2]) + line + b"".join(base.lines[2:]), "1 2 3 4 5", "damaged")


def damaged_cases():
    base = Session().singles("e1").batch(message("e2"), message("e3"), message("e4"))
    base.singles("e5")

    def with_flip(at, **kwargs):
        return damaged(base.copy(90), at, **kwargs).bytes()

    case("damaged-middle", "F7", "One bit of a batch of one: its seq is missing.", with_flip(1),
         "1 3 4 5 6", "damaged missing:corruption")
    case("damaged-first-of-batch", "F7", "Line 1 of 3 damaged: the others are returned flagged.",
         with_flip(2), "1 2 4f 5f 6", "damaged missing:corruption part:this")
    case("damaged-second-of-batch", "F7", "Line 2 of 3 damaged.", with_flip(3), "1 2 3f 5f 6",
         "damaged missing:corruption part:this")
    case("damaged-third-of-batch", "F7", "Line 3 of 3 damaged.", with_flip(4), "1 2 3f 4f 6",
         "damaged part:before missing:corruption")
    case("damaged-last-line", "F8.2", "The last acknowledged line: complete, so never cut, and "
         "its seq is left out by the next writer.", with_flip(5), "1 2 3 4 5", "damaged",
         hole=True)
    later = base.copy(91)
    damaged(later, 5)
    later.link = later.line(4).link
    later.singles("e6", mark=b"~")
    case("damaged-last-line-then-written", "F8.2", "The same after the next append: chained to the "
         "last sound line, one seq left out, mark ~.", later.bytes(), "1 2 3 4 5 7",
         "damaged missing:power_cut")
    case("damaged-header", "F11.6", "The header is damaged: its key and folder are lost, "
         "the session goes on.", with_flip(0, where=b'"requires":'), "2 3 4 5 6",
         "damaged missing:corruption")
    case("torn-header", "F11.6", "Nothing but a part of a header: no session.",
         base.lines[0][:70], "", "torn", cut=70, state="read_only", why="no_header")
    text = base.copy(97)
    text.batch('{"id":"n1","type":"custom","id":"n2"').batch('{"type":"custom"')
    text.batch('{"id":"n3","type":"custom",').singles("e6")
    case("not-an-entry", "F7.5", "Sound lines that somebody sealed around texts that are no "
         "entries: id twice, no id, no JSON. They keep their place and are not returned.",
         text.bytes(), "1 2 3 4 5 6 10", "not_an_entry:7 not_an_entry:8 not_an_entry:9")
    crc = base.copy(92)
    at = next(k for k in (5, 1, 2, 3, 4) if crc.lines[k][-11:-3].upper() != crc.lines[k][-11:-3])
    crc.lines[at] = crc.lines[at][:-11] + crc.lines[at][-11:-3].upper() + crc.lines[at][-3:]
    case("crc-upper-case", "F5.1", "An upper-case CRC is no CRC.", crc.bytes(),
         " ".join(str(k) for k in (1, 2, 3, 4, 5, 6) if k != at + 1), "damaged", hole=at == 5)
    name = base.copy(93)
    name.lines[1] = name.lines[1].replace(b'"seal"', b'"teal"')
    case("seal-name-flipped", "F6.2 row 11", "A flipped bit in the name seal leaves valid JSON "
         "that still ends like a line of ours: damage, not foreign.", name.bytes(), "1 3 4 5 6",
         "damaged missing:corruption")
    for label, fields, shows in (
            ("seal-leading-zero", {"seq": b"02"}, "A leading zero"),
            ("seal-i-above-n", {"i": b"2"}, "i above n"),
            ("seal-n-1025", {"n": b"1025"}, "n above 1,024"),
            ("seal-seq-below-i", {"i": b"3", "n": b"3"}, "seq below i"),
            ("seal-x-without-digest", {"salt": b"x"}, "Salt x without a digest"),
            ("seal-version-0", {"head": b"0+.2.1/1.AAAAAAAAAAAAAAAA."}, "Version 0")):
        edited = base.copy(94)
        edited.edit(1, **fields)
        case(label, "F5.1", shows + " with a right CRC: damaged.", edited.bytes(), "1 3 4 5 6",
             "damaged missing:corruption")
    wide = base.copy(95)
    text, wide.link = seal(wide.session_id, message("w1").encode(), 7, 1, 1024, b"+", wide.link,
                           next(wide.salts()))
    case("seal-n-1024", "F5.1", "Line 1 of 1,024, the largest batch: sound, not finished.",
         base.bytes() + text + b"\n", "1 2 3 4 5 6", "torn:end", cut=len(text) + 1)
    numbered = base.copy(96)
    numbered.seq = 10 ** 15 - 1
    numbered.singles("z1")
    case("seal-largest-seq", "F5.1", "seq 999999999999999, after a missing range.",
         numbered.bytes(), "1 2 3 4 5 6 999999999999999", "missing:corruption")


def place_cases():
    base = Session().singles("e1", "e2").batch(message("e3"), message("e4")).singles("e5")
    tilde = Session().singles("e1", "e2").singles("e3", "e4", mark=b"~")
    case("missing-before-plus", "F7.3", "A line is gone and the next batch says that everything "
         "before it was durable: corruption.", b"".join(base.lines[:2] + base.lines[3:]),
         "1 2 4 5 6", "missing:corruption")
    case("missing-before-tilde", "F7.3", "A line is gone and the next batch does not say so: it "
         "may have been a power cut.", b"".join(tilde.lines[:3] + tilde.lines[4:]), "1 2 3 5",
         "missing:power_cut")
    case("missing-inside-batch", "F7.3", "Line 1 of 2 is gone. The + of line 2 says nothing about "
         "line 1; the next batch that starts does.", b"".join(base.lines[:3] + base.lines[4:]),
         "1 2 3 5f 6", "missing:corruption part:this")
    case("missing-unknown", "F7.3", "Line 1 of 2 is gone and no batch starts after it.",
         b"".join(base.lines[:3] + base.lines[4:5]), "1 2 3", "missing:unknown part:this",
         hole=True)
    case("missing-end", "F15", "The last batch cut off exactly: nothing in the file tells. Only an "
         "anchor does.", b"".join(base.lines[:5]), "1 2 3 4 5", "",
         tail=[(1, None), (1, base.anchor(5))])
    broken = base.copy(60)
    broken.lines[2] = seal(broken.session_id, message("e2x").encode(), 3, 1, 1, b"+",
                           broken.line(1).link, b"AAAAAAAAAAAAAAAA")[0] + b"\n"
    case("break", "F7", "A line was replaced by another sound one: the next link does not follow.",
         broken.bytes(), "1 2 3 4 5 6", "out_of_chain:4")
    inside = base.copy(61)
    inside.lines[3] = seal(inside.session_id, message("e3x").encode(), 4, 1, 2, b"+",
                           inside.line(2).link, b"AAAAAAAAAAAAAAAA")[0] + b"\n"
    case("break-inside-batch", "F7", "The same inside a batch: its lines are a part.",
         inside.bytes(), "1 2 3 4f 5f 6", "out_of_chain:5 part:this")
    case("repeated", "F7", "A line twice: the copy is reported and changes nothing.",
         b"".join(base.lines[:3] + base.lines[2:]), "1 2 3 4 5 6", "repeated:3")
    case("repeated-inside-batch", "F7", "A copy of an earlier line inside a batch.",
         b"".join(base.lines[:4] + base.lines[1:2] + base.lines[4:]), "1 2 3 4 5 6", "repeated:2")
    case("swapped", "F7", "Two lines changed places: the later one is taken, the earlier one is "
         "then a seq already used.",
         b"".join([base.lines[0], base.lines[2], base.lines[1]] + base.lines[3:]),
         "1 3 4 5 6", "missing:corruption repeated:2")
    case("replayed-batch", "F7", "An earlier batch once more at the end.",
         base.bytes() + base.lines[1], "1 2 3 4 5 6", "repeated:2")
    case("replayed-tail", "F10.3, F15", "Two earlier batches once more at the end. A tail reader "
         "without an anchor is misled and says that it is not anchored; with one it is not.",
         base.bytes() + base.lines[1] + base.lines[2], "1 2 3 4 5 6", "repeated:2 repeated:3",
         tail=[(1, None), (1, base.anchor(5))])
    ours, theirs = base.copy(62).singles("a1", "a2"), base.copy(63).singles("b1", "b2", "b3")
    case("diverged-tail", "F15", "Two continuations of one session, one after the other.",
         ours.bytes() + b"".join(theirs.lines[6:]), "1 2 3 4 5 6 7 8 9",
         "repeated:7 repeated:8 out_of_chain:9", tail=[(1, None), (1, base.anchor(5)),
                                                (1, ours.anchor(7))])
    other = Session(OTHER).singles("o1", "o2", "o3")
    case("other-session-end", "F5.4", "Lines of another session at the end are damaged lines "
         "here, not entries.", base.bytes() + b"".join(other.lines[2:]), "1 2 3 4 5 6",
         "damaged damaged", hole=True)
    case("other-session-middle", "F5.4", "The same in the middle.",
         b"".join(base.lines[:2]) + other.lines[2] + b"".join(base.lines[2:]), "1 2 3 4 5 6",
         "damaged")
    case("renamed", "F11.5", "The file has another session's name: line 1 holds with the id inside "
         "it. One error, read-only, not one damage a line; entries are read with the old id.",
         other.bytes(), "", "damaged damaged damaged damaged", state="read_only", why="renamed",
         hole=True)
    quoting = Session().singles("e1")
    inner = quoting.lines[1][:-1].decode()
    quoting.batch(entry("q1", "custom", '{"quoted":%s}' % inner)).singles("e2")
    case("nested-sealed", "F6.2 row 1", "A sealed line of this session quoted in a payload.",
         quoting.bytes(), "1 2 3 4", "")
    case("nested-sealed-outer-damaged", "F6.2 row 2", "The same with a flipped bit in the outer "
         "line: the inner line is not taken for it.", damaged(quoting.copy(64), 2,
                                                              b'"type":"').bytes(),
         "1 2 4", "damaged missing:corruption")
    first = Session().singles("e1")
    first.batch('{"id":"q1","type":"custom","payload":[%s]' % first.lines[1][:-1].decode())
    cut_open = first.lines[2][first.lines[2].index(b"[") + 1:]
    case("nested-sealed-front-lost", "F6.2 row 2", "A line lost its front and now starts with the "
         "line it quotes: a seq already used.", b"".join(first.lines[:2]) + cut_open, "1 2",
         "line_end repeated:2 damaged", hole=True)
    again = Session().singles("e1").batch(message("e2"), message("e3"))
    damaged(again, 2)
    again.batch(message("e2"), message("e3"), mark=b"~").singles("e4")
    case("superseded", "F7.4", "A damaged batch was appended again with the same ids: the flagged "
         "line gives way.", again.bytes(), "1 2 5 6 7", "damaged missing:power_cut part:this")


def version_cases():
    base = Session().singles("e1", "e2")

    def versioned(text, fixed):
        made = base.copy(70)
        line = made.lines[1]
        at = line.rindex(b'"seal":"1') + 8
        line = line[:at] + text + line[at + 1:]
        made.lines[1] = with_crc(made.session_id, line[:-1]) + b"\n" if fixed else line
        return made

    case("newer-with-crc", "F11.1", "A line of seal version 2 with a right CRC: read-only, nothing "
         "is cut.", versioned(b"2", True).bytes() + b"torn", "1 3", "newer missing:corruption "
         "torn", state="read_only", why="newer", newer=True)
    case("newer-two-digits", "F11.1", "Version 12.", versioned(b"12", True).bytes(), "1 3",
         "newer missing:corruption", state="read_only", why="newer", newer=True)
    case("newer-without-crc", "F11.1", "The version digit alone is damaged: the CRC does not "
         "vouch for it, so it is one damaged line.", versioned(b"2", False).bytes(), "1 3",
         "damaged missing:corruption")
    unknown = close_line(base.session_id, b'{"id":"n1","seal":"2;anything.') + b"\n"
    case("newer-other-shape", "F11.1", "A version 2 seal of another shape keeps only its number "
         "and its CRC.", base.bytes() + unknown, "1 2 3", "newer", state="read_only", why="newer",
         newer=True)
    case("newer-without-lf", "F11.1", "The same as last bytes, without LF.",
         base.bytes() + unknown[:-1], "1 2 3", "newer", state="read_only", why="newer", newer=True)
    case("requires-unknown", "F11.2", "The header asks for something nobody here knows.",
         Session(payload='{"version":1,"requires":["x-compression"]}').singles("e1").bytes(),
         "1 2", "", state="read_only", why="requires")
    case("header-version-2", "F11.2", "The header's version is newer than the seal's.",
         Session(payload='{"version":2,"requires":[]}').singles("e1").bytes(), "1 2", "",
         state="read_only", why="version")


def erased_cases():
    base = Session().singles("e1").batch(message("e2", "secret"), message("e3")).singles("e4")
    erased = base.copy(80).erase(2)
    case("tombstone-accounted", "F12", "An erased entry and the redaction that names it. The links "
         "are those of the file before.", erased.bytes(), "1 2 3e 4 5 6", "")
    case("tombstone-two", "F12", "Two entries erased by one redaction, one of them the last of its "
         "batch.", base.copy(81).erase(2, 3).bytes(), "1 2 3e 4e 5 6", "")
    lone = base.copy(82).erase(2)
    case("tombstone-unaccounted", "F12.3", "A tombstone without its redaction.",
         b"".join(lone.lines[:-1]), "1 2 3e 4 5", "unaccounted:3")
    marked = erased.copy(83)
    marked.edit(2, mark=b"~")
    case("tombstone-edited", "F12.3", "The mark of a tombstone changed, with a CRC to match: the "
         "redaction names another line.", marked.bytes(), "1 2 3e 4 5 6", "unaccounted:3")
    back = erased.copy(84)
    back.lines[2] = base.lines[2]
    case("tombstone-not-erased", "F12.3", "The old line was put back.", back.bytes(),
         "1 2 3 4 5 6", "not_erased:3")
    part = erased.copy(85)
    damaged(part, 3)
    case("tombstone-flagged", "F12.3", "A tombstone in a batch that is not whole is returned "
         "flagged and accounted for.", part.bytes(), "1 2 3ef 5 6",
         "damaged part:before missing:corruption")


def unsealed_cases():
    header = header_body(SID, '{"version":0,"requires":[]}') + "}\n"
    lines = [header.encode()] + [(message("e%d" % k) + "}\n").encode() for k in (1, 2, 3)]
    whole = b"".join(lines)
    foreign = " ".join(["foreign"] * 4)
    common = dict(state="read_only", why="version_0")
    case("version-0", "F11.4", "A version 0 file: the entries without seals. As version 1 it has "
         "foreign lines only.", whole, "", foreign, version_0=("1 2 3 4", ""), **common)
    case("version-0-torn", "F11.4", "Its last line is torn.", whole[:-20], "",
         "foreign foreign foreign torn", cut=len(lines[3]) - 20, version_0=("1 2 3", "torn"),
         **common)
    case("version-0-lost-lf", "F11.4", "Its last line lacks the LF: torn, although it is JSON, "
         "since nothing vouches for it.", whole[:-1], "", "foreign foreign foreign torn",
         cut=len(lines[3]) - 1, version_0=("1 2 3", "torn"), **common)
    case("version-0-damaged", "F11.4", "One line is no JSON, one is blank, one is no entry, one "
         "has a reserved name.", lines[0] + lines[1] + b'{"id":"e2",\n' + b"\n" + b"[1]\n"
         + b'{"id":"e5","type":"custom","erased":1}\n' + lines[3], "",
         "foreign foreign damaged blank foreign foreign foreign",
         version_0=("1 2 3", "damaged blank damaged damaged"), hole=True, **common)
    case("version-0-nul-tail", "F11.4", "NULs at the end.", whole + bytes(20) + b"\n", "",
         foreign + " nul", cut=21, version_0=("1 2 3 4", "damaged"), **common)
    case("version-0-renamed", "F11.5", "A version 0 file under another name.",
         whole.replace(SID.encode(), OTHER.encode(), 1), "", foreign,
         version_0=("1 2 3 4", ""), state="read_only", why="renamed")
    migrated = Session(header=False)
    for line in lines:
        text = line.decode().rstrip("\n")[:-1]
        migrated.batch(text.replace('"version":0', '"version":1', 1))
    case("version-0-migrated", "F11.4", "The file version-0 after migration: every line a batch of "
         "its own, one token changed.", migrated.bytes(), "1 2 3 4", "")


def size_cases():
    base = Session().singles("e1", "e2")
    hexed = [{"hex": base.lines[0].hex()}]
    rest = [{"hex": b"".join(base.lines[1:]).hex()}]
    limit = (16 << 20) + (4 << 10)
    batch = Session().singles("e1").batch(message("e2"), message("e3"))
    case("line-at-limit", "F3.6", "A physical line of 16 MiB + 4 KiB is still looked into.", None,
         "1 2 3", "blank", parts=hexed + [{"hex": "20", "times": limit}, {"hex": "0a"}] + rest)
    case("line-over-limit", "F3.6", "One byte more is damaged, whatever it holds.", None, "1 2 3",
         "damaged", parts=hexed + [{"hex": "20", "times": limit + 1}, {"hex": "0a"}] + rest)
    case("line-over-limit-torn", "F3.6", "As last bytes without LF it is torn.", None, "1 2 3",
         "torn", parts=hexed + rest + [{"hex": "00", "times": limit + 1}], cut=limit + 1)
    case("line-over-limit-fused", "F3.6", "A sound line at its start is split out; of the rest "
         "nothing is looked at, not even a sound line at its end.", None, "1 2 3f 5",
         "line_end damaged part:before missing:power_cut",
         parts=[{"hex": b"".join(batch.lines[:2]).hex()}, {"hex": batch.lines[2][:-1].hex()},
                {"hex": "20", "times": limit}, {"hex": batch.lines[3].hex()},
                {"hex": batch.copy(98).singles("e4", mark=b"~").lines[-1].hex()}])


def all_cases(*further):
    for group in (plain_cases, torn_cases, nul_cases, line_end_cases, foreign_cases,
                  damaged_cases, place_cases, version_cases, erased_cases, unsealed_cases,
                  size_cases) + further:
        group()
    return CASES
