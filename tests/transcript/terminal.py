"""Tries the program on a terminal, as a person sees it: colour, pager, questions, Ctrl-C, progress.

    terminal.py PROGRAM

Every case runs in a pseudo-terminal of its own.
"""
import contextlib
import fcntl
import os
import pathlib
import pty
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

PROGRAM = str(pathlib.Path(sys.argv[1]).resolve())
LIMIT_S = 20


class Terminal:
    """A program on a terminal of so many rows and columns."""

    def __init__(self, words, environment, folder, rows=24, columns=80, stdin=None):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.process = subprocess.Popen(
            [PROGRAM, *words], stdin=stdin if stdin is not None else slave, stdout=slave,
            stderr=slave, env=environment, cwd=folder, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(1, termios.TIOCSCTTY, 0))
        os.close(slave)
        self.seen = ""

    def read(self, until=None):
        """Reads on until a text is there, or the end."""
        deadline = time.monotonic() + LIMIT_S
        while until is None or until not in self.seen:
            ready, _, _ = select.select([self.master], [], [], max(0, deadline - time.monotonic()))
            assert ready, f"nothing more came; seen: {self.seen!r}"
            try:
                got = os.read(self.master, 65536)
            except OSError:  # the other end is closed
                got = b""
            if not got:
                assert until is None, f"{until!r} never came; seen: {self.seen!r}"
                break
            self.seen += got.decode()
        return self.seen

    def type(self, text):
        os.write(self.master, text.encode())

    def finish(self, shown, typed):
        """Waits until something is shown, types a last thing, and says how that ended."""
        self.read(until=shown)
        self.type(typed)
        return self.end()

    def end(self):
        self.read()
        os.close(self.master)
        return self.process.wait(LIMIT_S), self.seen


CASES = []


def case(function):
    CASES.append(function)
    return function


class World:
    """A home with a store: session `s` with three entries, `long` with two hundred."""

    def __init__(self, folder):
        self.folder = folder
        self.environment = {"HOME": folder, "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8",
                            "TERM": "xterm", "LESSHISTFILE": "-"}
        self.quietly("new", "--id", "s")
        for text in ("one", "two", "three"):
            self.quietly("append", "s", "--user", text)
        self.quietly("new", "--id", "long")
        lines = "".join('{"type":"message","payload":{"role":"user","content":"line %d"}}\n' % n
                        for n in range(200))
        self.quietly("append", "long", stdin=lines)

    def quietly(self, *words, stdin=""):
        done = subprocess.run([PROGRAM, *words], env=self.environment, cwd=self.folder, text=True,
                              input=stdin, capture_output=True, timeout=LIMIT_S)
        assert done.returncode == 0, (words, done.stderr)
        return done.stdout

    def terminal(self, *words, rows=24, columns=80, stdin=None, **variables):
        return Terminal(words, {**self.environment, **variables}, self.folder, rows, columns, stdin)


@case
def colour_is_for_terminals_that_want_it(world):
    assert "\x1b[1m" in world.terminal("show", "s").end()[1]
    assert "\x1b" not in world.terminal("show", "s", NO_COLOR="1").end()[1]
    assert "\x1b" not in world.terminal("show", "s", TERM="dumb").end()[1]
    assert "\x1b" not in world.terminal("show", "s", "--color=never").end()[1]
    assert "\x1b[1m" in world.terminal("show", "s", "--color=always", NO_COLOR="1").end()[1]
    assert "\x1b" not in world.quietly("show", "s")


@case
def the_pager_gets_what_is_longer_than_the_screen(world):
    pager = {"PAGER": "sed 's/^/paged: /'"}
    assert "paged" not in world.terminal("show", "s", **pager).end()[1]
    code, seen = world.terminal("show", "long", **pager).end()
    assert code == 0 and seen.count("paged: ") == 400, seen[:200]
    assert "paged" in world.terminal("show", "s", rows=5, **pager).end()[1]
    assert "paged" not in world.terminal("show", "long", "--json", **pager).end()[1]
    assert "paged" not in world.terminal("show", "long", TERM="dumb", **pager).end()[1]
    other = world.terminal("show", "long", LOGWOOD_PAGER="sed 's/^/other: /'", **pager).end()[1]
    assert "other: " in other and "paged: " not in other


@case
def what_is_asked_is_not_paged(world):
    tall = "\n".join(f"row {n}" for n in range(40))
    world.quietly("new", "--id", "tall")
    world.quietly("append", "tall", "--user", tall, "--assistant", "the end")
    terminal = world.terminal("show", "tall", "--step", PAGER="sed 's/^/paged: /'")
    terminal.read(until="q: leave")
    terminal.type("\n")
    code, seen = terminal.finish("the end", "q\n")
    assert code == 0 and "paged" not in seen and "row 39" in seen, (code, seen)


@case
def a_pager_that_is_left_early_is_no_failure(world):
    code, seen = world.terminal("show", "long", PAGER="head -n 1").end()
    assert code == 0 and "logwood:" not in seen, (code, seen)


@case
def a_pager_that_is_missing_is_named(world):
    code, seen = world.terminal("show", "long", PAGER="no-such-pager").end()
    assert code == 1 and "logwood: cannot start the pager no-such-pager" in seen, (code, seen)


@case
def less_is_the_pager_of_who_names_none(world):
    terminal = world.terminal("show", "long")
    terminal.read(until=":")  # its prompt
    terminal.type("q")
    code, seen = terminal.end()
    assert code == 0 and "line 1" in seen and "line 199" not in seen, (code, seen[-200:])


@case
def ctrl_c_in_the_pager_leaves_it_to_the_pager(world):
    terminal = world.terminal("show", "long")
    terminal.read(until=":")
    terminal.type("\x03")
    # Ctrl-C takes with it what was typed and not yet read, so it may take more than one.
    assert terminal.process.poll() is None
    for _ in range(LIMIT_S):
        terminal.type("q")
        with contextlib.suppress(subprocess.TimeoutExpired):
            terminal.process.wait(1)
            break
    assert terminal.end()[0] == 0


@case
def erasing_asks(world):
    terminal = world.terminal("erase", "s", "~0")
    code, seen = terminal.finish("[y/N] ", "\n")
    assert code == 2 and "nothing was done" in seen, seen
    terminal = world.terminal("erase", "s", "~0")
    code, seen = terminal.finish("[y/N] ", "\x03")
    assert code == 130 and "nothing was done" in seen, (code, seen)
    terminal = world.terminal("erase", "s", "~0")
    code, seen = terminal.finish("[y/N] ", "y\n")
    assert code == 0 and "erased 1 entry" in seen, seen


@case
def nobody_is_asked_who_cannot_answer(world):
    code, seen = world.terminal("erase", "s", "~1", stdin=subprocess.DEVNULL).end()
    assert code == 2 and "add --yes" in seen and "[y/N]" not in seen, seen


@case
def steps_go_forwards_and_back(world):
    terminal = world.terminal("show", "s", "--step")
    terminal.read(until="1/3")
    terminal.read(until="leave")
    terminal.type("\n")
    terminal.read(until="2/3")
    terminal.type("b\n")
    code, seen = terminal.finish("2/3", "q\n")
    assert code == 0 and seen.count("1/3") == 2 and "3/3" not in seen, seen


@case
def ctrl_c_before_anything_was_appended(world):
    before = world.quietly("show", "s", "--json")
    terminal = world.terminal("append", "s")
    terminal.type('{"type":"message","payload":{}}\n')
    time.sleep(0.2)
    terminal.type("\x03")
    code, seen = terminal.end()
    assert code == 130 and "logwood: interrupted: nothing was appended" in seen, (code, seen)
    assert world.quietly("show", "s", "--json") == before


@case
def ctrl_c_between_two_entries(world):
    before = world.quietly("show", "s", "--json").count("\n")
    terminal = world.terminal("append", "s", "--each", "--json")
    terminal.type('{"type":"message","payload":{}}\n')
    code, seen = terminal.finish("appendedCount", "\x03")
    assert code == 130 and "interrupted: 1 entry was appended, what follows was not" in seen, (code, seen)
    assert world.quietly("show", "s", "--json").count("\n") == before + 1


@case
def a_second_ctrl_c_ends_it_at_once(world):
    terminal = world.terminal("follow", "s")
    terminal.read(until="three")
    os.kill(terminal.process.pid, signal.SIGSTOP)
    os.kill(terminal.process.pid, signal.SIGINT)
    os.kill(terminal.process.pid, signal.SIGCONT)
    assert terminal.end()[0] == 130


@case
def following_is_not_paged(world):
    terminal = world.terminal("follow", "long", "--from-start", PAGER="sed 's/^/paged: /'")
    terminal.read(until="line 199")
    world.quietly("append", "long", "--user", "and now")
    code, seen = terminal.finish("and now", "\x03")
    assert code == 130 and "paged" not in seen, code


def slowly(terminal):
    """Makes a program take long: it is stopped again and again, until it says how long it will take."""
    os.setpriority(os.PRIO_PROCESS, terminal.process.pid, 19)
    deadline = time.monotonic() + LIMIT_S
    while terminal.process.poll() is None and time.monotonic() < deadline and " left" not in terminal.seen:
        os.kill(terminal.process.pid, signal.SIGSTOP)
        time.sleep(0.25)
        while select.select([terminal.master], [], [], 0)[0]:
            terminal.seen += os.read(terminal.master, 65536).decode()
        os.kill(terminal.process.pid, signal.SIGCONT)
        time.sleep(0.001)
    return terminal.end()


@case
def what_takes_long_tells_how_far_it_is(world):
    world.quietly("new", "--id", "big")
    for _ in range(4):
        world.quietly("append", "big", stdin='{"type":"x","payload":{"text":"%s"}}\n' % ("x" * 60_000) * 300)
    for what, words in (("verifying big", ("verify", "big")),
                        ("exporting big", ("export", "big", "--output", "big.jsonl")),
                        ("importing big.jsonl", ("import", "big.jsonl", "--id", "other")),
                        ("archiving big", ("archive", "big")),
                        ("bringing back big", ("archive", "big", "--undo")),
                        ("examining", ("doctor",))):
        code, seen = slowly(world.terminal(*words))
        assert code == 0 and what + "  " in seen and "/s" in seen and " left" in seen, (words, code, seen)
        assert seen.rindex("\r\x1b[K") > seen.rindex(" left"), "it goes in the end"
    assert "verifying" not in world.quietly("verify", "big")


@case
def ctrl_c_stops_what_takes_long(world):
    world.quietly("new", "--id", "big")
    world.quietly("append", "big", stdin='{"type":"x","payload":{"text":"%s"}}\n' % ("x" * 60_000) * 300)
    terminal = world.terminal("verify", "big")
    for _ in range(10_000):  # until it is at work
        os.kill(terminal.process.pid, signal.SIGSTOP)
        time.sleep(0.005)
        if "big.jsonl" in " ".join(open_files(terminal.process.pid)):
            break
        os.kill(terminal.process.pid, signal.SIGCONT)
        time.sleep(0.0005)
    terminal.type("\x03")
    os.kill(terminal.process.pid, signal.SIGCONT)
    code, seen = terminal.end()
    assert code == 130 and "interrupted: what was read of session big says nothing yet" in seen, (code, seen)


@case
def an_agent_is_started_when_that_is_wanted(world):
    programs = pathlib.Path(world.folder, "programs")
    programs.mkdir()
    agent = programs / "pi"
    agent.write_text('#!/bin/sh\necho "pi was started in $PWD with $1"\n')
    agent.chmod(0o755)
    with_agent = {"PATH": f"{programs}:{os.environ['PATH']}"}
    for typed, starts, code_wanted in (("\n", True, 0), ("y\n", True, 0), ("n\n", False, 0), ("\x04", False, 0),
                                       ("\x03", False, 130)):
        terminal = world.terminal("continue", "s", "--in", "pi", **with_agent)
        code, seen = terminal.finish("start it now? [Y/n] ", typed)
        assert code == code_wanted and (f"pi was started in {world.folder} with --session" in seen) == starts, (code, seen)
    terminal = world.terminal("continue", "s", "--in", "pi", PATH="/nowhere")
    code, seen = terminal.finish("start it now? [Y/n] ", "y\n")
    assert code == 3 and "pi cannot be started" in seen and "goes on" in seen, (code, seen)


@case
def stepping_ends_with_the_input(world):
    terminal = world.terminal("show", "s", "--step")
    code, seen = terminal.finish("q: leave", "\x04")
    assert code == 0 and "two" not in seen, (code, seen)


def open_files(process):
    for link in pathlib.Path(f"/proc/{process}/fd").iterdir():
        with contextlib.suppress(OSError):
            yield os.readlink(link)


def main():
    # Programs that are to be stopped in the middle must not be done before, on a busy machine too.
    with contextlib.suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, 0, -15)
    for one in CASES:
        with tempfile.TemporaryDirectory() as folder:
            try:
                one(World(folder))
            except AssertionError:
                print(f"failed: {one.__name__}")
                raise
    print(f"{len(CASES)} cases on a terminal")


main()
