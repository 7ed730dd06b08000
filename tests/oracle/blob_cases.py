"""The cases of tests/vectors with long strings (F17): session files that come with
blobs, for manifest.json, and bodies before and after their long strings moved, for
blobs.json."""
import blobs
from repeated_bytes import parts_of
from session_builder import (OTHER, SID, Session, damaged, entry, header_body, message)
from vector_cases import case

INLINE_MAX = 65536
X = "x" * 70000
NEWLINES = "\\n" * 40000           # 80,000 bytes as it is spelled, 40,000 characters
QUOTES = 'say \\"' * 12000 + "\\\\"
WIDE = "日" * 22000


def one_long(name, content=X, parent=None):
    return entry(name, "message", '{"role":"user","content":"%s"}' % content, parent)


def blob_case(name, shows, session, whole, returned=None, problems="", incomplete="",
              with_blobs=None, rule="F17.5", **more):
    """`whole`: bodies that must come out, by seq, as they were before long strings moved.
    `incomplete`: seqs of entries that are returned with all long strings empty, and
    reported. `with_blobs`: what lies in blobs/, if not what the session's lines name."""
    data, count = session.bytes(), len(session.lines)
    is_short = len(data) < INLINE_MAX
    case(name, rule, shows, data if is_short else None,
         returned or " ".join(str(k + 1) for k in range(count)), problems,
         parts=None if is_short else parts_of(data), whole=whole, incomplete=incomplete,
         blobs=session.blobs if with_blobs is None else with_blobs, **more)


def moved_cases():
    blob_case("blob-one", "One long string. The line holds an empty one and the list; the text "
              "is what was appended.", Session().spilled(one_long("e1")).singles("e2"),
              {2: one_long("e1"), 3: message("e2")}, rule="F17.2")
    several = entry("e1", "tool_result", '{"":"","a":["%s","",{"%s":"%s"}],"short":"\\""}'
                    % (NEWLINES, X, QUOTES), extra=',"meta":{"note":"%s"}' % WIDE)
    blob_case("blob-several", "Four long strings, in meta and in payload, one of them a member's "
              "name, with escapes: their bytes are those of the spelling.",
              Session().spilled(several), {2: several}, rule="F17.2")
    same = entry("e1", "custom", '{"a":"%s","b":"%s"}' % (X, X))
    blob_case("blob-same-twice", "The same string twice in one entry and once in another: one "
              "blob.", Session().spilled(same, one_long("e2")), {2: same, 3: one_long("e2")},
              rule="F17.2")
    at_most, above = "y" * INLINE_MAX, "y" * (INLINE_MAX + 1)
    blob_case("blob-size", "65,536 bytes stay in the line, 65,537 do not.",
              Session().spilled(one_long("e1", at_most), one_long("e2", above)),
              {2: one_long("e1", at_most), 3: one_long("e2", above)}, rule="F17.1")
    blob_case("blob-in-line", "A long string in its line, as a migration leaves it: a reader takes "
              "it in either place.", Session().batch(one_long("e1")), {2: one_long("e1")},
              rule="F17.1")


def lost_cases():
    two = entry("e1", "custom", '{"a":"%s","b":"%s"}' % (X, NEWLINES))
    emptied = entry("e1", "custom", '{"a":"","b":""}')
    session = Session().spilled(two).spilled(one_long("e2"))
    of_x = next(path for path, content in session.blobs.items() if content == X.encode())
    of_newlines = next(path for path in session.blobs if path != of_x)
    kept = {2: emptied, 3: one_long("e2")}

    def newlines_are(content):
        return {of_x: X.encode(), of_newlines: content}

    blob_case("blob-missing", "One of two blobs is gone: the entry is returned with both strings "
              "empty. Another entry that names the blob that is there is whole.", session, kept,
              incomplete="2", with_blobs={of_x: X.encode()})
    blob_case("blob-all-missing", "There is no folder of blobs.", session,
              {2: emptied, 3: one_long("e2", "")}, incomplete="2 3", with_blobs={})
    altered = NEWLINES[:-1] + "t"
    blob_case("blob-altered", "A blob of the right length and another content.", session, kept,
              incomplete="2", with_blobs=newlines_are(altered.encode()))
    blob_case("blob-short", "A blob without its last byte.", session, kept, incomplete="2",
              with_blobs=newlines_are(NEWLINES[:-1].encode()))
    blob_case("blob-long", "A blob with one byte more.", session, kept, incomplete="2",
              with_blobs=newlines_are(NEWLINES.encode() + b"x"))
    blob_case("blob-empty", "A blob of no bytes.", session, kept, incomplete="2",
              with_blobs=newlines_are(b""))
    blob_case("blob-unnamed", "Blobs that no line names, and one that was never finished, mean "
              "nothing.", session, {2: two, 3: one_long("e2")},
              with_blobs=dict(session.blobs, **{
                  "%s/%s" % (SID, blobs.hash_of(WIDE.encode())): WIDE.encode(),
                  of_x + ".new": b"xxx"}))
    part = Session().spilled(one_long("e1"), two.replace('"e1"', '"e2"')).singles("e3")
    damaged(part, 1)
    blob_case("blob-flagged", "A blob of a line in a batch that is not whole.", part,
              {3: emptied.replace('"e1"', '"e2"')}, "1 3f 4", "damaged missing:corruption "
              "part:this", incomplete="3", with_blobs={of_x: X.encode()})
    open_batch = Session().spilled(one_long("e1"), one_long("e2"))
    del open_batch.lines[2]
    size = len(open_batch.lines[1])
    blob_case("blob-not-returned", "Of a line that is not returned no blob is looked for.",
              open_batch, {}, "1", "torn:end", cut=size, with_blobs={})
    renamed = Session(OTHER).spilled(one_long("e1")).spilled(two.replace('"e1"', '"e2"'))
    blob_case("blob-renamed", "The file has another session's name: the blobs lie under the id "
              "inside. What lies under the file's name is not looked at.", renamed,
              {2: one_long("e1"), 3: emptied.replace('"e1"', '"e2"')}, " ", "damaged damaged "
              "damaged", incomplete="3", state="read_only", why="renamed", hole=True,
              with_blobs={of_x.replace(SID, OTHER): X.encode(), of_newlines: NEWLINES.encode()},
              rule="F17.6")


def erased_cases():
    session = Session().spilled(one_long("e1")).spilled(one_long("e2", NEWLINES)).singles("e3")
    erased = session.copy(10).erase(1)
    left = {path: content for path, content in session.blobs.items() if content != X.encode()}
    blob_case("blob-tombstone", "A line that had a blob was erased, and the blob with it. Its "
              "digest still commits to the content.", erased, {3: one_long("e2", NEWLINES)},
              "1 2e 3 4 5", with_blobs=left, rule="F12.1, F17.4")
    shared = Session().spilled(one_long("e1")).spilled(one_long("e2")).erase(1)
    blob_case("blob-tombstone-shared", "A blob that another line names as well stays.", shared,
              {3: one_long("e2")}, "1 2e 3 4", rule="F12.1, F17.4")
    put_back = erased.copy(11)
    put_back.lines[1] = session.lines[1]
    blob_case("blob-not-erased", "The old line was put back, its blob was not.", put_back,
              {2: one_long("e1", "")}, "1 2 3 4 5", "not_erased:2", incomplete="2",
              with_blobs=left, rule="F12.3")


def list_cases():
    whole = entry("e1", "custom", '{"a":"%s","b":"%s","c":"","d":0}' % (X, NEWLINES))
    emptied = entry("e1", "custom", '{"a":"","b":"","c":"","d":0}')
    stored, content = blobs.spill(whole.encode())
    rest, refs = blobs.split_list(stored)
    assert rest == emptied.encode()
    in_blobs = {"%s/%s" % (SID, name): bytes_ for name, bytes_ in content.items()}
    first, second = refs

    def listed(*changed):
        return rest + blobs.spelled_list(changed)

    def with_list(name, shows, body, incomplete="2", text=None, rule="F17.5"):
        blob_case(name, shows, Session().batch(body.decode()).singles("e2"),
                  {2: text or emptied, 3: message("e2")}, incomplete=incomplete,
                  with_blobs=in_blobs, rule=rule)

    def moved(offset):
        return blobs.Ref(offset, second.length, second.sha256)

    def sized(length):
        return blobs.Ref(second.offset, length, second.sha256)

    of_c = second.offset + len(',"c":""')
    with_list("blob-list-other-place", "The second blob belongs to another empty string: it is "
              "put where the list says.", listed(first, moved(of_c)), "",
              entry("e1", "custom", '{"a":"%s","b":"","c":"%s","d":0}' % (X, NEWLINES)))
    for name, offset, shows in (
            ("blob-offset-first-quote", second.offset - 1, "the first of the two quotes"),
            ("blob-offset-after", second.offset + 1, "the byte after the quotes"),
            ("blob-offset-elsewhere", of_c + 6, "a place without quotes"),
            ("blob-offset-zero", 0, "the first byte of the line"),
            ("blob-offset-in-list", len(rest) + 3, "a place in the list"),
            ("blob-offset-behind", 10 ** 9, "a place behind the line"),
            ("blob-offset-15-digits", 10 ** 15 - 1, "a number of fifteen digits")):
        refs_now = [first, moved(offset)] if offset > first.offset else [moved(offset), first]
        with_list(name, "An offset is that of %s." % shows, listed(*refs_now))
    with_list("blob-offsets-descend", "Offsets that do not ascend.", listed(second, first))
    with_list("blob-offset-twice", "The same offset twice.", listed(first, second, second))
    for name, length, shows in (
            ("blob-length-65536", INLINE_MAX, "A length of 65,536 in the list: such a string "
             "stays in its line."),
            ("blob-length-0", 0, "A length of 0 in the list."),
            ("blob-length-less", second.length - 1, "A length below that of the blob."),
            ("blob-length-more", second.length + 1, "A length above that of the blob."),
            ("blob-length-15-digits", 10 ** 15 - 1, "A length of fifteen digits.")):
        with_list(name, shows, listed(first, sized(length)))
    for name, ref, shows in (
            ("blob-offset-16-digits", moved(10 ** 15), "An offset of sixteen digits"),
            ("blob-offset-2-64", moved(2 ** 64 + second.offset), "An offset beyond 64 bits"),
            ("blob-length-100-digits", sized(int("1" * 100)), "A length of a hundred digits")):
        body = listed(first, ref)
        with_list(name, shows + ": not a list, but a member like any other.", body, "",
                  body.decode(), "F17.2")
    short = b"z" * INLINE_MAX
    body = rest + blobs.spelled_list([blobs.Ref(first.offset, len(short), blobs.hash_of(short))])
    blob_case("blob-of-65536", "A blob of 65,536 bytes that is what the list says: no writer moves "
              "such a string.", Session().batch(body.decode()), {2: emptied}, incomplete="2",
              with_blobs={"%s/%s" % (SID, blobs.hash_of(short)): short})


def list_form_cases():
    """What is not exactly the form of F17.2 is a member like any other."""
    plain = entry("%s", "custom", '{"a":""}')
    content = X.encode()
    stored = blobs.spill(one_long("e1").replace('"role":"user","content"', '"a"').encode())[0]
    found = blobs.split_list(stored)[1][0]
    exact = blobs.spelled_list([found]).decode()
    ref = found.spelled().decode()
    forms = {
        "an empty list": ',"blobs":[]', "no array": ',"blobs":%s' % ref,
        "a space after the colon": exact.replace(":", ": "),
        "a space after a comma": exact.replace(",%d," % found.length, ", %d," % found.length),
        "a space behind the list": exact + " ",
        "a member behind the list": exact + ',"more":0',
        "a minus": exact.replace("[[", "[[-"), "a fraction": exact.replace(
            "%d," % found.length, "%d.0," % found.length),
        "a hash in capitals": exact.replace(found.sha256, found.sha256.upper()),
        "a hash of 63 digits": exact.replace(found.sha256, found.sha256[:-1]),
        "a hash of 65 digits": exact.replace(found.sha256, found.sha256 + "0"),
        "a pair": ',"blobs":[[%d,"%s"]]' % (found.offset, found.sha256),
        "four elements": exact.replace("]]", ",0]]"),
        "a number in the list": exact.replace("]]", "],7]"),
        "an escaped name": exact.replace("blobs", "bl\\u006fbs"),
        "a capital in the name": exact.replace("blobs", "Blobs"),
        "null": ',"blobs":null'}
    session, whole = Session(), {}
    for k, form in enumerate(forms.values()):
        whole[k + 2] = plain % ("e%d" % k) + form
        session.batch(whole[k + 2])
    blob_case("blob-list-of-another-form", "Members that are not the list, since their form is not "
              "exactly that of one: " + ", ".join(forms) + ". They stay part of the text, and the "
              "blob is not put anywhere.", session, whole,
              with_blobs={"%s/%s" % (SID, found.sha256): content}, rule="F17.2")
    zero = Session().batch(plain % "e1" + exact.replace("[[", "[[0")).singles("e2")
    blob_case("blob-list-leading-zero", "A leading zero: not a list, and no JSON.", zero,
              {3: message("e2")}, "1 3", "not_an_entry:2",
              with_blobs={"%s/%s" % (SID, found.sha256): content}, rule="F17.2, F7.5")
    twice = Session().batch(stored.decode() + exact)
    blob_case("blob-list-twice", "Two lists: the body ends with the second, and the first is a "
              "member like any other.", twice,
              {2: one_long("e1").replace('"role":"user","content"', '"a"') + exact},
              with_blobs={"%s/%s" % (SID, found.sha256): content}, rule="F17.2")
    inside = entry("e1", "custom", '{"a":""%s}' % exact)
    text = entry("e2", "custom", '{"a":"%s"}' % exact.replace('"', '\\"'))
    blob_case("blob-list-inside", "A list inside the payload, and one in a string, are none.",
              Session().batch(inside, text), {2: inside, 3: text},
              with_blobs={"%s/%s" % (SID, found.sha256): content}, rule="F17.2")


def limit_cases():
    """About limits that F3.6 leaves no doubt about: what the largest draft becomes, and
    what could not have been a line."""
    draft_max, line_max = 16 << 20, (16 << 20) + (4 << 10)
    name, parent, mebibyte = "e" * 99, "p" * 99, "m" * (1 << 20)
    stamps = len('"id":"%s","parentId":"%s","timestamp":"2026-01-31T08:00:01.000Z",'
                 % (name, parent))

    def text_of(last):
        strings = ",".join(['"%s"' % (mebibyte if last else "")] * 15)
        return entry(name, "custom", '{"a":[%s],"b":"%s"}' % (strings, last), parent)

    frame = len(text_of("")) + 1 + 15 * len(mebibyte)
    for label, size, incomplete, shows in (
            ("blob-text-largest", draft_max + stamps, "", "A draft of 16 MiB with the longest "
             "stamps: the largest text that a writer makes."),
            ("blob-text-over-limit", line_max + 1, "2", "A text that is longer than any line.")):
        whole = text_of("n" * (size - frame))
        assert len(whole) + 1 == size
        blob_case(label, shows, Session().spilled(whole), {2: text_of("") if incomplete else whole},
                  incomplete=incomplete, rule="F17.5, F3.6")


def unsealed_cases():
    header = (header_body(SID, '{"version":0,"requires":[]}') + "}\n").encode()
    stored = blobs.spill(one_long("e1").encode())[0]
    case("version-0-blobs", "F17.6", "A version 0 line has no blobs: what ends like one that has "
         "is no entry.", header + stored + b"}\n", "", "foreign foreign",
         version_0=("1", "damaged"), state="read_only", why="version_0")


GROUPS = (moved_cases, lost_cases, erased_cases, list_cases, list_form_cases, limit_cases,
          unsealed_cases)


# (name, body, the strings that move out of it)
SPILL_CASES = []


def _spill_case(name, body, *contents):
    SPILL_CASES.append((name, body, [content.encode() for content in contents]))


def _custom(payload, extra=""):
    return entry("e1", "custom", payload, extra=extra)


_AT_MOST = "y" * INLINE_MAX
_spill_case("nothing long", message("e1"))
_spill_case("no payload", '{"id":"e1","type":"custom"')
_spill_case("65,536 bytes", one_long("e1", _AT_MOST))
_spill_case("65,537 bytes", one_long("e1", _AT_MOST + "y"), _AT_MOST + "y")
_spill_case("65,536 bytes of escapes", one_long("e1", "\\n" * 32768))
_spill_case("65,538 bytes of escapes, 32,769 characters", one_long("e1", "\\n" * 32769),
            "\\n" * 32769)
_spill_case("65,538 bytes of escapes, 10,923 characters", one_long("e1", "\\u00e9" * 10923),
            "\\u00e9" * 10923)
_spill_case("65,536 bytes, 32,768 characters", one_long("e1", "é" * 32768))
_spill_case("65,538 bytes, 32,769 characters", one_long("e1", "é" * 32769), "é" * 32769)
_spill_case("escaped quotes and backslashes at both ends",
            _custom('{"a":"\\"%s\\\\","b":"\\\\%s\\""}' % (X, X)), '\\"%s\\\\' % X,
            '\\\\%s\\"' % X)
_spill_case("looks like a list", _custom('{"a":"%s"}' % (',\\"blobs\\":[' * 6000)),
            ',\\"blobs\\":[' * 6000)
_spill_case("a member's name", _custom('{"a":1,"%s":2}' % X), X)
_spill_case("a name and its value", _custom('{"%s":"%s"}' % (X, NEWLINES)), X, NEWLINES)
_spill_case("the same twice", _custom('{"a":["%s","%s"]}' % (X, X)), X, X)
_spill_case("between empty strings", _custom('{"":"","a":["","%s",""],"b":""}' % X), X)
_spill_case("deep inside", _custom('{"a":%s"%s"%s}' % ("[" * 126, X, "]" * 126)), X)
_spill_case("meta before payload", _custom('{"a":"%s"}' % NEWLINES, ',"meta":{"b":"%s"}' % X), X,
            NEWLINES)
_spill_case("meta behind payload", _custom('{"a":"%s"}' % NEWLINES) + ',"meta":{"b":["%s"]}' % X,
            NEWLINES, X)
_spill_case("members behind the payload", '{"payload":{"a":"%s"},"type":"custom","id":"e1"' % X, X)
_spill_case("escaped names of members",
            '{"id":"e1","type":"custom","p\\u0061yload":{"a":"%s"},"\\u006deta":{"b":"%s"}'
            % (X, NEWLINES), X, NEWLINES)
_spill_case("white space between tokens",
            '{ "id" : "e1" ,\t"type" : "custom" , "payload" : { "a" : [ "%s" , 1 ] }' % X, X)
_spill_case("runId", _custom("{}", ',"runId":"%s"' % X))
_spill_case("an unknown member", _custom("{}", ',"note":"%s"' % X))
_spill_case("inside an unknown member", _custom('{"a":1}', ',"note":{"payload":{"a":"%s"}}' % X))
_spill_case("a name at the top", _custom('{"a":1}', ',"%s":{"a":"b"}' % X))
_spill_case("in payload and in an unknown member",
            _custom('{"a":"%s"}' % NEWLINES, ',"note":["%s"]' % X), NEWLINES)
_spill_case("names that only begin alike",
            _custom('{"a":1}', ',"payloads":{"a":"%s"},"Payload":{"a":"%s"},"met":["%s"]'
                    % (X, X, X)))
_spill_case("payload inside the payload", _custom('{"payload":{"meta":"%s"},"meta":"%s"}'
                                                  % (X, NEWLINES)), X, NEWLINES)
_spill_case("a string that is the word payload, then a long one in another member",
            _custom('{"a":"payload"}', ',"note":["payload","%s"]' % X))
