"""Tries every verb of the program with inputs that somebody made up to do harm.

    run.py PROGRAM [VERB...]

Each has to end by itself and in time, with a clear message and the right exit code; nothing that a
terminal obeys is printed; a verb that only reads changes no byte of the store, and one that writes
none of another session. A verb of `logwood help --all` that has no row in calls.py is a failure, and so
is one with fewer than twenty inputs.
"""
import contextlib
import json
import os
import pathlib
import re
import stat
import subprocess
import sys
import tempfile

from calls import CALLS
from world import TRICKS, World, give_to_user

CASES_MIN = 20
DONE, FAILED, USAGE, NOT_FOUND, CONFLICT, DAMAGED, BUSY = range(7)
ANY = set(range(7))


class Hostile:
    """The cases of one way to call a verb."""

    def __init__(self, world, verb, call):
        self.world, self.verb, self.call = world, verb, call
        self.count = 0
        self.faults = []

    def words(self, session="s"):
        return [self.verb, *(word.replace("{S}", session) for word in self.call.words)]

    def attempt(self, what, allowed, words=None, *, prepare=None, stdin=None, store=None, untouched=None,
                says=True, json=False, **how):
        """Runs it on a new store. `untouched`: nothing in the store may change."""
        self.world.fresh()
        if prepare:
            prepare(self.world)
        words = words or self.words()
        store = self.world.store if store is None else store
        environment = how.pop("environment", {})
        environment.setdefault("LOGWOOD_STORE", store)
        stdin = self.call.stdin if stdin is None else stdin
        untouched = not self.call.changes if untouched is None else untouched
        but = () if untouched else ("s",)
        before = self.world.hashes(but=but)
        run = self.world.run(words, stdin=stdin, environment=environment, endless=self.call.endless, **how)
        if self.call.endless:
            allowed = allowed | ({130} if DONE in allowed else set())
        fault = run.faults(allowed, json=json or self.call.is_data, says=says)
        after = self.world.hashes(but=but)
        if not fault and any(after.get(name) != content for name, content in before.items()):
            fault = "it changed " + ", ".join(n for n in before if after.get(n) != before[n])
        self.count += 1
        if fault:
            shown = " ".join(repr(str(word)[:60]) for word in words)
            said = run.err[:300].decode(errors="backslashreplace").strip()
            self.faults.append(f"{shown} ({what}): {fault}; it said: {said!r}")

    # --- groups of cases ------------------------------------------------------------------------

    def all(self):
        self.options()
        self.sessions()
        self.entries()
        self.texts()
        if not self.call.storeless:
            self.stores()
            self.session_files()
            self.homes()
            self.sessions_of_agents()
        self.surroundings()
        if self.verb == "append":
            self.appended()
        return self

    def options(self):
        for word in ("--no-such", "--\x1b[31mred", "--\u202eoption", "-\x1b", "--json=\x1b", "--color=\x1b[1m",
                     "--store", b"--\xff\xfe", "--" + "x" * 100_000):
            self.attempt("an option that is none", {USAGE}, [*self.words(), word], untouched=True)
        few = {USAGE, NOT_FOUND, FAILED, CONFLICT}
        self.attempt("a word too many", few | {DONE} if self.call.any_words else few,
                     [*self.words(), *["\x1b[2J"] * 9], untouched=True)
        for option in self.call.numbers:
            for number in ("0", "-1", "18446744073709551616", "1e9", "NaN", "", " 1", "\x1b", "9" * 10_000):
                fits = option == "--skip" and number == "0"
                self.attempt(f"{option} is no number", {DONE} if fits else {USAGE},
                             [*self.words(), option, number])
            self.attempt(f"{option} is huge", {DONE}, [*self.words(), option, "18446744073709551615"])
        for option in self.call.files:
            for path in ("/no/such", "/", "", "/dev/null", "../../x", TRICKS, "x" * 5000, "/proc/self/mem"):
                self.attempt(f"{option} is no file of its kind", {FAILED, USAGE, NOT_FOUND},
                             [*self.words(), option, path])
            for text in (b"", b"\0" * 1000, b"\xff\xfe", b"{}", b"[" * 100_000, TRICKS.encode(), b"{" * 17_000_000,
                         b'{"sessionId":"../../x","entries":[]}'):
                self.attempt(f"{option} - with a strange text", {USAGE, NOT_FOUND, DAMAGED},
                             [*self.words(), option, "-"], stdin=text)

    def sessions(self):
        if not self.call.names_session:
            return
        for name in ("../../../etc/passwd", "/etc/passwd", "..", ".", "/", "../s", "sessions/../../s",
                     "\x1b[31mred", "\u202e", "x" * 99, "x" * 100, "x" * 100_000, "-", "@nobody", "%s%n%n", "[s,other]",
                     "s\n", "s ", "S", "*", "~1", "2026-99-99", "$(id)", b"\xff\xfe", "/tmp/s.jsonl/",
                     "../../x.jsonl", "\u009b31m", "@"):
            words = [self.verb, *(name if w == "{S}" else w for w in self.call.words)]
            self.attempt("a session that is none", {USAGE, NOT_FOUND}, words, untouched=True)
        self.attempt("the empty name", {USAGE, NOT_FOUND}, self.words(""), untouched=True)
        self.attempt("an option as a session", {USAGE, NOT_FOUND}, [self.verb, "--", "--json"], untouched=True)
        for name in ("s", "./s.jsonl", "/elsewhere/s.jsonl"):
            self.attempt("another spelling of it", {*self.call.well}, self.words(name))

    def entries(self):
        if not self.call.entry:
            return
        for name in ("../e1", "\x1b[1m", "", "~99999999999999999999999", "~-1", "~", "~x", "x" * 100, "x" * 1_000_000,
                     "\u202e", b"\xff", "~18446744073709551615", "[e1,e2]", "s"):
            if isinstance(name, str) and len(name) > 100_000:
                name = name[:100_000]
            self.attempt("an entry that is none", {USAGE, NOT_FOUND}, [*self.words()[:-1], name], untouched=True)

    def texts(self):
        for option in self.call.texts:
            for text in (TRICKS, "", b"\xff\xfe", "\u202e", "x" * 120_000, "--json", "--", "../../x", "/", "\ud7ff"):
                allowed = {DONE, USAGE, NOT_FOUND, CONFLICT, FAILED}
                self.attempt(f"{option} with a strange text", allowed, [*self.words(), option, text])
                self.attempt(f"{option} with a strange text, as JSON", allowed,
                             [*self.words(), option, text, "--json"], json=True)

    def stores(self):
        world, well = self.world, {*self.call.well}
        makes = self.call.makes_store
        missing = {DONE} if makes else {NOT_FOUND}

        def replaced(content):
            def prepare(world):
                (world.store / "logwood.json").write_bytes(content)
            return prepare

        for name, content in (("empty", b""), ("noise", b"\0\xff" * 100), ("huge", b"[" * 1_000_000),
                              ("another object", b'{"logwood":"\\u001b[1m"}'), ("text", TRICKS.encode())):
            self.attempt(f"logwood.json is {name}", {FAILED, DAMAGED, USAGE}, prepare=replaced(content),
                         untouched=True)
        newer = (world.kept / "logwood.json").read_bytes().replace(b"1", b"99")
        self.attempt("a store of a newer version", {FAILED} if self.call.changes else well | {FAILED},
                     prepare=replaced(newer), untouched=True)

        self.attempt("no store", missing, store=world.home / "none" / "at all")
        self.attempt("a store that is a file", {FAILED, USAGE, NOT_FOUND}, store="/etc/hostname", untouched=True)
        self.attempt("a store that is a device", {FAILED, USAGE, NOT_FOUND}, store="/dev/null", untouched=True)
        self.attempt("a store of somebody else", {FAILED, NOT_FOUND}, store="/etc", untouched=True)
        self.attempt("a store with a strange name", missing, store=world.home / TRICKS.replace("/", "_"))
        self.attempt("a store whose name is too long", {FAILED, USAGE, NOT_FOUND}, store="/" + "x" * 5000)
        self.attempt("a store through --store", well, [*self.words(), "--store", world.store], store="/nowhere")
        self.attempt("a store without a name", {USAGE, FAILED}, [*self.words(), "--store", ""], untouched=True)
        self.attempt("a symbolic link to the store", well, store=world.home / "link",
                     prepare=lambda w: (w.home / "link").symlink_to(w.store))
        self.attempt("a symbolic link to itself", {FAILED, USAGE, NOT_FOUND}, store=world.home / "loop",
                     prepare=lambda w: (w.home / "loop").symlink_to(w.home / "loop"))
        self.attempt("a folder of sessions that is a link", ANY - {DONE} if self.call.names_session or makes else ANY,
                     prepare=self.link_sessions, untouched=True)
        self.attempt("a store others may write to", {FAILED}, prepare=lambda w: w.store.chmod(0o777), untouched=True)
        self.attempt("a store that may not be written", {FAILED} if self.call.changes else well,
                     prepare=self.make_read_only, untouched=True)
        self.attempt("a store that may not be read", {FAILED}, prepare=lambda w: w.store.chmod(0), untouched=True)
        with self.full_disk() as full:
            if full:
                # Removing and hiding need little room, and may find it.
                allowed = {FAILED, BUSY, DONE} if self.call.changes else well
                self.attempt("a full disk", allowed, store=full)

    @staticmethod
    def link_sessions(world):
        (world.store / "sessions").rename(world.home / "sessions")
        (world.store / "sessions").symlink_to(world.home / "sessions")

    @staticmethod
    def make_read_only(world):
        for folder, _, files in os.walk(world.store):
            for name in files:
                os.chmod(os.path.join(folder, name), stat.S_IRUSR)
            os.chmod(folder, stat.S_IRUSR | stat.S_IXUSR)

    @contextlib.contextmanager
    def full_disk(self):
        """A store on a disk without room; nothing where no disk can be made."""
        disk = self.world.folder / "disk"
        disk.mkdir(exist_ok=True)
        mount = ["mount", "-t", "tmpfs", "-o", "size=256k,mode=0777", "tmpfs", str(disk)]
        if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode:
            yield None
            return
        try:
            self.world.fresh()
            subprocess.run(["cp", "-a", str(self.world.store), str(disk / "store")], check=True)
            with contextlib.suppress(OSError), open(disk / "filler", "wb") as filler:
                while True:
                    filler.write(b"x" * 4096)
                    filler.flush()
            yield disk / "store"
        finally:
            subprocess.run(["umount", str(disk)], check=True)

    def session_files(self):
        def replaced(make):
            def prepare(world):
                path = world.store / "sessions" / "s.jsonl"
                path.rename(world.home / "aside")
                make(path, world)
                if path.is_file() and not path.is_symlink() and os.geteuid() == 0:
                    os.chown(path, 65534, 65534)
            return prepare

        # What is there and is no session is refused where it is named; other verbs go on without it.
        refused = {FAILED} if self.call.names_session else {DONE}
        for what, make in (
                ("a folder", lambda path, world: path.mkdir()),
                ("a pipe", lambda path, world: os.mkfifo(path)),
                ("a link", lambda path, world: path.symlink_to(world.home / "aside")),
                ("a link to nowhere", lambda path, world: path.symlink_to("/no/such")),
                ("a second name of a file", lambda path, world: os.link(world.home / "aside", path)),
                ("not to be read", lambda path, world: (path.write_bytes(b"x"), path.chmod(0)))):
            self.attempt(f"the session file is {what}", refused, prepare=replaced(make), untouched=True)
        for what, content in (("empty", b""), ("noise", b"\0\xff\n" * 1000), ("of another kind", b"{}\n" * 10),
                              ("escape sequences", TRICKS.encode() * 100),
                              ("one line of 17 MiB", b'{"x":"' + b"x" * (17 << 20) + b'"}\n')):
            self.attempt(f"the session file is {what}", ANY, prepare=replaced(
                lambda path, world, content=content: path.write_bytes(content)))

        def ending(bytes_):
            def prepare(world):
                with open(world.store / "sessions" / "s.jsonl", "ab") as file:
                    file.write(bytes_)
            return prepare
        sound_or_not = {*self.call.well, DAMAGED}
        for what, bytes_ in (("a torn line", b'{"id":"torn'), ("a foreign line", b'{"a":"\\u001b"}\n'),
                             ("zeros", b"\0" * 5000), ("noise", b"\x1b[31m\xff\n"), ("16 MiB", b"x" * (16 << 20))):
            self.attempt(f"the session ends with {what}", sound_or_not, prepare=ending(bytes_))

    def sessions_of_agents(self):
        """Files of other agents are found wherever HOME is, and anybody may have written them."""
        self.attempt("hostile sessions of other agents", {*self.call.well}, prepare=self.put_agent_sessions)

    @staticmethod
    def put_agent_sessions(world):
        evil = TRICKS + "'; touch /tmp/evil #$(id)`id`"
        claude = world.home / ".claude/projects/p"
        pi = world.home / ".pi/agent/sessions/--p--"
        codex = world.home / ".codex/sessions/2026/01/01"
        for folder in (claude, pi, codex):
            folder.mkdir(parents=True, exist_ok=True)
        line = {"type": "user", "uuid": evil, "parentUuid": evil, "isSidechain": False, "sessionId": evil, "cwd": evil,
                "version": evil, "gitBranch": evil, "timestamp": evil, "message": {"role": "user", "content": evil + " word"}}
        (claude / "evil.jsonl").write_text(json.dumps(line) + "\n" + json.dumps(line)[:-9] + "\n\0\0\0\n")
        (claude / "deep.jsonl").write_bytes(b'{"type":"user","uuid":"a","parentUuid":null,"isSidechain":false,"x":' + b"[" * 100000)
        (claude / "link.jsonl").symlink_to("/etc/passwd")
        header = {"type": "session", "version": 3, "id": evil, "timestamp": evil, "cwd": evil}
        entry = {"type": "message", "id": evil, "parentId": evil, "timestamp": 1e300, "message": {"role": "user", "content": evil}}
        (pi / f"x_{'y' * 200}.jsonl").write_text(json.dumps(header) + "\n" + json.dumps(entry) + "\n" + json.dumps(entry))
        (pi / "a_fifo.jsonl").unlink(missing_ok=True)
        os.mkfifo(pi / "a_fifo.jsonl")
        meta = {"timestamp": evil, "type": "session_meta", "payload": {"id": evil, "cwd": evil, "history_base":
                {"thread_id": "../../../../etc/passwd", "end_byte_offset": 2 ** 63}}}
        (codex / f"rollout-{'z' * 40}.jsonl").write_text(json.dumps(meta) + "\n")
        (codex / f"rollout-{'q' * 40}.jsonl.zst").write_bytes(b"\x28\xb5\x2f\xfd" + b"\xff" * 100)
        give_to_user(world.home)

    def homes(self):
        well = {*self.call.well}
        self.attempt("no HOME", {USAGE} if self.call.needs_home else well, environment={"HOME": None})
        self.attempt("no HOME and no store", {USAGE}, environment={"HOME": None, "LOGWOOD_STORE": ""}, untouched=True)
        self.attempt("a HOME that is not there", {FAILED} if self.call.makes_store else {NOT_FOUND},
                     environment={"HOME": "/no/such", "LOGWOOD_STORE": ""}, untouched=True)
        self.attempt("a HOME that is no folder", {FAILED, NOT_FOUND},
                     environment={"HOME": "/etc/hostname", "LOGWOOD_STORE": ""}, untouched=True)

    def surroundings(self):
        world, well = self.world, {*self.call.well}
        silent = {"says": False}
        self.attempt("standard input is closed", well if not self.call.stdin else {FAILED}, closed=(0,))
        prints = DONE in well or self.call.endless
        self.attempt("standard output is closed", {DONE, FAILED} if prints else ANY, closed=(1,))
        # One that can only fail here says so where nobody hears it, and prints nothing.
        refused = set() if prints else well
        self.attempt("standard error is closed", well, closed=(2,), **(silent if refused else {}))
        self.attempt("all three are closed", {DONE, FAILED} | refused, closed=(0, 1, 2), **silent)
        with open("/dev/full", "wb") as full:
            self.attempt("standard output is full", {DONE, FAILED} | refused, stdout=full)
        self.attempt("a strange terminal", well, environment={"TERM": TRICKS, "COLUMNS": "-1", "PAGER": "\x1b"})

        def configured(content):
            def prepare(world):
                folder = world.home / ".config" / "logwood"
                folder.mkdir(parents=True)
                (folder / "config.json").write_bytes(content)
            return prepare
        for content in (b"", b"[]", b"{", b'{"store":1}', b'{"limit":-1}', b'{"colour":"x"}', b'{"color":"\\u001b"}',
                        '{"\\u001b[1m\u202e":1}'.encode(), b"\xff", b" " * 1_000_000, b'{"store":"relative"}',
                        b"[" * 60_000, b'{"pager":["a"]}'):
            self.attempt("a strange config.json", {USAGE}, prepare=configured(content), untouched=True)
        self.attempt("a config.json that is a folder", {USAGE},
                     prepare=lambda w: (w.home / ".config/logwood/config.json").mkdir(parents=True), untouched=True)
        self.attempt("a config.json that is a pipe", {USAGE}, prepare=make_config_pipe, untouched=True)
        self.attempt("as JSON", well, [*self.words(), "--json"], json=True)
        theirs, gone = world.folder / "theirs", world.home / "gone"
        theirs.mkdir(exist_ok=True)
        self.attempt("a working folder of somebody else", well | {FAILED}, cwd=theirs)
        self.attempt("a working folder that is gone", well | {FAILED}, prepare=make_folder(gone), cwd=gone,
                     leaves_folder=True)

    def appended(self):
        entry = b'{"type":"message","payload":{"role":"user","content":"%s"}}\n'
        for what, text, allowed in (
                ("nothing", b"", {USAGE}), ("blank lines", b"\n \t\r\n", {USAGE}), ("NUL", b"\0\n", {USAGE}),
                ("NUL in a string", entry % b"\0", {USAGE}), ("no UTF-8", entry % b"\xff", {USAGE}),
                ("an array", b"[]\n", {USAGE}), ("half an object", b'{"type":"message"', {USAGE}),
                ("too deep", b'{"type":"x","payload":' + b"[" * 200 + b"]" * 200 + b"}\n", {USAGE}),
                ("nearly 16 MiB", entry % (b"x" * ((16 << 20) - 1000)), {DONE}),
                ("17 MiB", entry % (b"x" * (17 << 20)), {USAGE}),
                ("17 MiB without an end", b"x" * (17 << 20), {USAGE}),
                ("80 MiB of lines", (entry % (b"x" * (8 << 20))) * 10, {USAGE}),
                ("a batch of too many", entry % b"x" * 1025, {USAGE}),
                ("an id that leaves", b'{"type":"x","id":"../../x","payload":{}}\n', {USAGE}),
                ("an id of 99", b'{"type":"x","id":"%s","payload":{}}\n' % (b"x" * 99), {DONE}),
                ("an id of 100", b'{"type":"x","id":"%s","payload":{}}\n' % (b"x" * 100), {USAGE}),
                ("a seal of its own", b'{"type":"x","payload":{},"seal":"1+.1"}\n', {USAGE}),
                ("a parent that is not there", b'{"type":"x","parentId":"no","payload":{}}\n', {USAGE, NOT_FOUND, CONFLICT}),
                ("a strange time", b'{"type":"x","timestamp":"9999-99-99T00:00:00Z","payload":{}}\n', {USAGE})):
            self.attempt(f"standard input holds {what}", allowed, stdin=text, untouched=allowed == {USAGE})
            self.attempt(f"standard input holds {what}, each", allowed | {DONE}, [*self.words(), "--each"], stdin=text)


def make_folder(path):
    def prepare(world):
        path.mkdir()
        give_to_user(path)
    return prepare


def make_config_pipe(world):
    folder = world.home / ".config" / "logwood"
    folder.mkdir(parents=True)
    os.mkfifo(folder / "config.json")


def verbs_of(world):
    """All verbs of the program."""
    help_ = world.run(["help", "--all"]).out.decode()
    return re.findall(r"^  ([a-z]+) +\S", help_, re.M)


def main():
    program, only = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    wrong, total = [], 0
    with tempfile.TemporaryDirectory() as folder:
        world = World(program, folder)
        verbs = verbs_of(world)
        assert len(verbs) >= len(CALLS) > 10, verbs
        for verb in only or verbs:
            if verb not in CALLS:
                wrong.append(f"{verb} has no row in tests/hostile/calls.py")
                continue
            tried = [Hostile(world, verb, call).all() for call in CALLS[verb]]
            count = sum(one.count for one in tried)
            total += count
            wrong += [fault for one in tried for fault in one.faults]
            if count < CASES_MIN:
                wrong.append(f"{verb} is tried with {count} inputs, fewer than {CASES_MIN}")
        world.fresh()
    print("\n".join(wrong) or f"{len(only or verbs)} verbs, {total} hostile inputs")
    return 1 if wrong else 0


sys.exit(main())
