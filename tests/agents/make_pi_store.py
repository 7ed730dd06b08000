#!/usr/bin/env python3
"""Sessions of pi, invented: a folder as ~/.pi/agent/sessions is, or one long session.

    make_pi_store.py FOLDER COUNT SEED
    make_pi_store.py --one ENTRIES FILE [SEED]

A session of the folder has 10 to 60 lines and 33.6 KB on average, so 10,000 have 336 MB; they lie in 40
working folders and spread over a year. The same arguments make the same bytes.
"""
import argparse
import datetime
import json
import os
import pathlib
import random
import re

SESSION_BYTES = 33_600  # on average
ENTRY_BYTES = 960       # on average, as it follows from that and from the number of lines
LINES = (10, 60)
START_MS = 1_761_955_200_000  # 2025-11-01
YEAR_MS = 365 * 24 * 3600 * 1000

PLACES = ("", "work/", "work/clients/", "src/")
PROJECTS = ("orchard", "harvest-api", "cider_press", "pollen", "irrigation", "graft.js", "nursery", "frost-watch",
            "beehive", "windbreak")
FOLDERS = [f"/home/dev/{place}{project}" for place in PLACES for project in PROJECTS]

MODELS = (("anthropic-messages", "anthropic", "claude-sonnet-4-5"),
          ("anthropic-messages", "anthropic", "claude-opus-4-5"),
          ("openai-responses", "openai", "gpt-5.1"),
          ("google-generative-ai", "google", "gemini-3-pro"))
PRICES = {"input": 3e-6, "output": 15e-6, "cacheRead": 0.3e-6, "cacheWrite": 3.75e-6}  # dollars a token

WORDS = """the a of to and in is it that for with on as this be are not from by or an at which when if then so
we you I should must can will would does has have was were no only each other first last next more same new old
tree row apple pear plum cherry branch leaf root graft seed soil water pump valve sensor frost season harvest crate
press cider pollen bee hive wind fence gate plan schedule budget report price order supplier customer week month
file line test function class module field value key index list map string number error warning log output input
request response header body status server client session store entry record query table column cache queue worker
thread process signal timeout retry limit offset cursor page token model prompt answer context summary change commit
merge rebase review build release version package import export read write open close append delete rename move copy
check compare sort filter group join split parse format encode decode validate repair migrate deploy configure
because although therefore however instead before after while until since perhaps probably certainly already still
Zürich Münster café naïve façade São 苹果 果园 яблоко 🍏 🌳 → ≥ “quoted” it's don't""".split()
CODE = ("    if ({0} < {1}) return {2};", "const {0} = await {1}.{2}(\"{3}\");", "def {0}({1}, {2}=None):",
        "\t\"{0}\": {{\"{1}\": {4}, \"{2}\": true}},", "{0}/{1}/{2}.ts:{4}:  {3}",
        "-rw-r--r-- 1 dev dev {4} {0}_{1}.csv", "    for {0} in {1}.{2}():", "PASS  {0}/{1}.test.ts ({4} ms)",
        "  {4} | {0} = {1} + {2}  # {3}", "}}")


class Text:
    """Pieces of one long text, half prose and half code: cheap to take, and no two alike."""

    def __init__(self, chance):
        lines = []
        for _ in range(12_000):
            if chance.random() < 0.5:
                words = chance.choices(WORDS, k=chance.randint(5, 22))
                lines.append(" ".join(words).capitalize() + chance.choice((".", ".", "?", ":")))
            else:
                names = [chance.choice("_-.").join(chance.choices(WORDS, k=2)) for _ in range(4)]
                lines.append(chance.choice(CODE).format(*names, chance.randrange(1, 99_999)))
        self.all = "\n".join(lines)
        self.bytes_per_character = len(json.dumps(self.all, ensure_ascii=False).encode()) / len(self.all)

    def piece(self, chance, bytes_in_json):
        length = max(8, int(bytes_in_json / self.bytes_per_character))
        parts = []
        while length > 0:
            start = chance.randrange(len(self.all))
            parts.append(self.all[start:start + length])
            length -= len(parts[-1])
        return "".join(parts).strip() or "Go on."


def iso(time_ms):
    time = datetime.datetime.fromtimestamp(time_ms // 1000, datetime.timezone.utc)
    return f"{time:%Y-%m-%dT%H:%M:%S}.{time_ms % 1000:03}Z"


def uuid7(chance, time_ms):
    digits = f"{time_ms:012x}7{chance.getrandbits(12):03x}"
    digits += f"{0x8000 | chance.getrandbits(14):04x}{chance.getrandbits(48):012x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def folder_of(cwd):
    """As pi names the folder of the sessions of a working folder."""
    return "--" + re.sub(r"[/\\:]", "-", cwd.removeprefix("/")) + "--"


def kinds_of(chance, entries):
    """What each entry of a session is: what pi writes at its start, then turns with and without tools."""
    kinds = ["model", "thinking", "system"][:entries]
    while (left := entries - len(kinds)) > 1:
        calls = min(chance.choice((0, 1, 1, 2, 2, 3, 4, 6)), (left - 2) // 2)
        kinds += ["user", *("call", "result") * calls, "answer"]
    return kinds + ["name"] * left


# What an entry has beside text, in bytes, and how much of the text of its session it has.
BARE_BYTES = {"header": 140, "model": 143, "thinking": 132, "system": 819, "name": 134, "user": 186, "call": 640,
              "result": 272, "answer": 494}
SHARES = {"user": 1, "call": 1, "result": 8, "answer": 3}


class Session:
    """The lines of one session."""

    def __init__(self, chance, text, cwd, start_ms):
        self.chance, self.text, self.cwd = chance, text, cwd
        self.id = uuid7(chance, start_ms)
        self.start_ms = self.time_ms = start_ms
        self.api, self.provider, self.model = chance.choice(MODELS)
        self.ids = {None}
        self.parent = None
        self.called = None  # the tool, and the id of the call

    def lines(self, entries, size_bytes, verbosity):
        yield line({"type": "session", "version": 3, "id": self.id, "timestamp": iso(self.start_ms), "cwd": self.cwd})
        kinds = kinds_of(self.chance, entries)
        shares = [SHARES.get(kind, 0) * self.chance.gammavariate(2, 0.5) for kind in kinds]
        bare_bytes = sum(BARE_BYTES[kind] for kind in ("header", *kinds))
        share_bytes = verbosity * (size_bytes - bare_bytes) / (sum(shares) or 1)
        for kind, share in zip(kinds, shares):
            yield line(self.entry(kind, share * share_bytes))

    def entry(self, kind, text_bytes):
        self.time_ms += self.chance.randrange(200, 60_000 if kind == "user" else 9_000)
        parent, self.parent = self.parent, self.new_id()
        base = {"id": self.parent, "parentId": parent, "timestamp": iso(self.time_ms)}
        if kind == "model":
            return {"type": "model_change", **base, "provider": self.provider, "modelId": self.model}
        if kind == "thinking":
            level = self.chance.choice(("off", "low", "high"))
            return {"type": "thinking_level_change", **base, "thinkingLevel": level}
        if kind == "name":
            return {"type": "session_info", **base, "name": " ".join(self.chance.choices(WORDS, k=4))}
        message = {"system": self.system, "user": self.user, "call": self.call, "result": self.result,
                   "answer": self.answer}[kind](text_bytes)
        message["timestamp"] = self.time_ms - self.chance.randrange(200)
        return {"type": "message", **base, "message": message}

    def new_id(self):
        made = None
        while made in self.ids:
            made = f"{self.chance.getrandbits(32):08x}"
        self.ids.add(made)
        return made

    def block(self, text_bytes):
        return {"type": "text", "text": self.text.piece(self.chance, text_bytes)}

    def system(self, _):
        tools = [{"name": name, "description": f"{name} something",
                  "parameters": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}}
                 for name in ("read", "bash", "edit", "write")]
        sections = {"preamble": "You are a coding assistant.", "cwd": self.cwd}
        return {"role": "system", "content": "", "sections": sections, "toolsAdded": tools}

    def user(self, text_bytes):
        return {"role": "user", "content": [self.block(text_bytes)]}

    def call(self, text_bytes):
        tool = self.chance.choice(("read", "bash", "edit", "write"))
        self.called = tool, f"toolu_{self.chance.getrandbits(96):024x}"
        path = f"{self.cwd}/{'/'.join(self.chance.choices(PROJECTS, k=2))}.ts"
        return self.assistant([self.block(text_bytes), {"type": "toolCall", "id": self.called[1], "name": tool,
                                                        "arguments": {"path": path}}], "toolUse")

    def result(self, text_bytes):
        tool, call = self.called
        return {"role": "toolResult", "toolCallId": call, "toolName": tool, "content": [self.block(text_bytes)],
                "isError": self.chance.random() < 0.06}

    def answer(self, text_bytes):
        return self.assistant([self.block(text_bytes)], "stop")

    def assistant(self, content, stop_reason):
        tokens = {"input": self.chance.randrange(3, 2000), "output": self.chance.randrange(20, 1500),
                  "cacheRead": self.chance.randrange(90_000), "cacheWrite": self.chance.randrange(5000)}
        cost = {kind: tokens[kind] * price for kind, price in PRICES.items()}
        usage = {**tokens, "totalTokens": sum(tokens.values()), "cost": {**cost, "total": sum(cost.values())}}
        return {"role": "assistant", "content": content, "api": self.api, "provider": self.provider,
                "model": self.model, "usage": usage, "stopReason": stop_reason}


def line(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


def write(file, session, entries, size_bytes, verbosity=1):
    """The size is met when the verbosity is 1."""
    with open(file, "x", encoding="utf-8", newline="\n") as out:
        out.writelines(session.lines(entries, size_bytes, verbosity))
    os.utime(file, (session.time_ms / 1000,) * 2)  # pi lists the newest first


def make_store(folder, count, seed):
    chance = random.Random(seed)
    text = Text(chance)
    for cwd in FOLDERS:
        (folder / folder_of(cwd)).mkdir(parents=True)
    for _ in range(count):
        session = Session(chance, text, chance.choice(FOLDERS), START_MS + chance.randrange(YEAR_MS))
        name = re.sub("[:.]", "-", iso(session.start_ms)) + f"_{session.id}.jsonl"
        lines = chance.randint(*LINES)
        size_bytes = SESSION_BYTES * lines // (sum(LINES) // 2)
        write(folder / folder_of(session.cwd) / name, session, lines - 1, size_bytes, chance.gammavariate(2, 0.5))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--one", action="store_true")
    parser.add_argument("given", nargs="+", metavar="FOLDER COUNT SEED | ENTRIES FILE [SEED]")
    args = parser.parse_args()
    if args.one:
        entries, file, seed = (*args.given, "1")[:3]
        chance = random.Random(int(seed))
        session = Session(chance, Text(chance), FOLDERS[0], START_MS)
        write(file, session, int(entries), int(entries) * ENTRY_BYTES)
    else:
        folder, count, seed = args.given
        make_store(pathlib.Path(folder), int(count), int(seed))


if __name__ == "__main__":
    main()
