#!/usr/bin/env python3
"""Check the search-recall corpus against a naive matcher.

    check.py FOLDER

FOLDER holds corpus.jsonl, one {"id", "text"} a line, and queries.jsonl, one
{"query", "class", "hits"} a line. Every query is matched against every
document and the hits must be exactly the ids listed. The exit code is 0 when
everything agrees and 1 at any difference.

The matcher is the plain statement of the query language. It reads each text
from end to end for each query and shares no code with the search itself.

Text
  * A text is cut into words of letters, numbers and `_`; every other
    character separates. Words are compared in simple lower case. Accents and
    word endings are kept as they are.
  * A word matches as a whole and by each of its parts. Parts are cut at `_`,
    from lower to upper case, before the last capital of a row of capitals
    that a lower-case letter follows, and between letters and numbers. A word
    of more than 8 parts (a hash) has none.
  * A character of CJK_RANGES is a word by itself. Neighbours with nothing in
    between form a run; a run ends a word of other letters and begins after
    one.
  * Positions count whole words. A part stands where its whole word stands.

Query
  * Terms are separated by white space. A document must match all of them.
  * "..." is a phrase: its words in that order at adjacent positions.
  * A term of several words (retry-after, src/api, 1.2.3) is a phrase too.
  * A row of CJK characters must occur without a break inside one run.
  * A term ending in * matches every word, or part, that its last word begins.
    Inside quotes * is an ordinary separator. After a CJK character it changes
    nothing, because such a row may be followed by anything already.
  * -term or -"..." excludes the documents that match it. Only a single hyphen
    excludes: --flag is the word flag.
  * Query words are never cut into parts.
  * A term without any word says nothing. A query that asks for nothing, or
    only excludes, matches no document.
"""

import json
import re
import sys
import unicodedata
from collections import Counter, namedtuple
from pathlib import Path

CLASSES = ("english", "chinese", "japanese", "korean", "code")
HITTING_PER_CLASS = 40
MISSING_PER_CLASS = 10

PARTS_MAX = 8  # of a word

CJK_RANGES = (
    (0x3005, 0x3007),  # repetition marks and zero
    (0x3040, 0x30FF),  # hiragana and katakana
    (0x3400, 0x9FFF),  # CJK ideographs and extension A
    (0xAC00, 0xD7AF),  # hangul syllables
    (0xF900, 0xFAFF),  # compatibility ideographs
    (0x20000, 0x3134F),  # extensions B to G
)

# A hyphen excludes when neither white space nor another hyphen follows it.
TERM = re.compile(r'(?P<minus>-(?=[^\s-]))?(?:"(?P<phrase>[^"]*)"?|(?P<bare>[^\s"]+))')

# One word of a text. `joined` says that it continues a run of CJK characters.
Word = namedtuple("Word", "text joined")

# What stands at one position of a document: the whole word and its parts.
Place = namedtuple("Place", "forms joined")

# One term of a query. `prefix` says that the last word may go on.
Term = namedtuple("Term", "words prefix excluded")


# Characters


def is_cjk(char):
    return any(first <= ord(char) <= last for first, last in CJK_RANGES)


def is_number(char):
    return unicodedata.category(char).startswith("N")


def is_word_char(char):
    return char == "_" or is_number(char) or unicodedata.category(char).startswith("L")


def lower(text):
    """Simple lower case: one character for each character."""
    return "".join(char.lower()[0] for char in text)


# Words and parts


def cut_words(text):
    """Return the words of a text, in their own case."""
    words = []
    pending = ""  # the word of other letters being read
    in_run = False  # whether the previous character was CJK
    for char in text:
        if not is_cjk(char) and is_word_char(char):
            pending += char
            in_run = False
            continue
        if pending:
            words.append(Word(pending, False))
            pending = ""
        if is_cjk(char):
            words.append(Word(char, in_run))
        in_run = is_cjk(char)
    if pending:
        words.append(Word(pending, False))
    return words


def starts_part(word, i):
    """Whether a new part begins at index i > 0 of a word without `_`."""
    before, here, after = word[i - 1], word[i], word[i + 1 : i + 2]
    if is_number(before) != is_number(here):
        return True
    if before.islower() and here.isupper():
        return True
    return before.isupper() and here.isupper() and after.islower()


def cut_parts(word):
    """parse_HTTPHeader2 -> parse, HTTP, Header, 2"""
    parts = []
    for piece in filter(None, word.split("_")):
        starts = [0] + [i for i in range(1, len(piece)) if starts_part(piece, i)]
        ends = starts[1:] + [len(piece)]
        parts += [piece[start:end] for start, end in zip(starts, ends)]
    return parts


def known_parts(word):
    parts = cut_parts(word)
    return parts if len(parts) <= PARTS_MAX else []


def read_document(text):
    """Return what stands at each position of a document."""
    return [
        Place({lower(form) for form in [word.text] + known_parts(word.text)}, word.joined)
        for word in cut_words(text)
    ]


# Queries


def parse_query(query):
    """Return the terms of a query, without those that hold no word."""
    terms = []
    for match in TERM.finditer(query):
        quoted = match["phrase"] is not None
        source = match["phrase"] if quoted else match["bare"]
        words = [Word(lower(word.text), word.joined) for word in cut_words(source)]
        prefix = not quoted and source.endswith("*") and is_word_char(source[-2:-1] or " ")
        if words:
            terms.append(Term(words, prefix, bool(match["minus"])))
    return terms


# Matching


def matches_place(word, prefix, place):
    if word.joined and not place.joined:
        return False
    if prefix:
        return any(form.startswith(word.text) for form in place.forms)
    return word.text in place.forms


def matches_at(term, places):
    """Whether the term matches from the first of the places on."""
    last = len(term.words) - 1
    return len(places) > last and all(
        matches_place(word, term.prefix and i == last, places[i])
        for i, word in enumerate(term.words)
    )


def matches_term(term, document):
    return any(matches_at(term, document[start:]) for start in range(len(document)))


def matches_query(terms, document):
    wanted = [term for term in terms if not term.excluded]
    excluded = [term for term in terms if term.excluded]
    return (
        bool(wanted)
        and all(matches_term(term, document) for term in wanted)
        and not any(matches_term(term, document) for term in excluded)
    )


def search(query, documents):
    """Return the ids of the documents that match, in their order."""
    terms = parse_query(query)
    return [name for name, document in documents.items() if matches_query(terms, document)]


# Checking


def read_lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def check_ids(corpus):
    for name, count in Counter(line["id"] for line in corpus).items():
        if count > 1:
            yield f"corpus: id {name} occurs {count} times"


def check_counts(lines):
    """The number of hitting and missing queries of each class."""
    counts = Counter((line["class"], bool(line["hits"])) for line in lines)
    for name in CLASSES:
        for hitting, wanted in ((True, HITTING_PER_CLASS), (False, MISSING_PER_CLASS)):
            count = counts.pop((name, hitting), 0)
            if count != wanted:
                kind = "hitting" if hitting else "missing"
                yield f"queries: {count} {kind} {name} queries, expected {wanted}"
    for name, _ in counts:
        yield f"queries: unknown class {name}"
    for query, count in Counter(line["query"] for line in lines).items():
        if count > 1:
            yield f"queries: {query} occurs {count} times"


def check_hits(lines, documents):
    for number, line in enumerate(lines, start=1):
        found = search(line["query"], documents)
        if found == line["hits"]:
            continue
        missed = sorted(set(line["hits"]) - set(found))
        added = sorted(set(found) - set(line["hits"]))
        yield (
            f"queries line {number}: {line['query']}: "
            f"listed but no match {missed}, match but not listed {added}"
            if missed or added
            else f"queries line {number}: {line['query']}: hits out of order or repeated"
        )


def check(folder):
    """Return all differences, each as one line of text."""
    corpus = read_lines(folder / "corpus.jsonl")
    lines = read_lines(folder / "queries.jsonl")
    documents = {line["id"]: read_document(line["text"]) for line in corpus}
    differences = [*check_ids(corpus), *check_counts(lines), *check_hits(lines, documents)]
    if not differences:
        print(f"{len(lines)} queries over {len(documents)} documents agree")
    return differences


def main(arguments):
    if len(arguments) != 1:
        print("usage: check.py FOLDER", file=sys.stderr)
        return 2
    differences = check(Path(arguments[0]))
    for difference in differences:
        print(difference)
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
