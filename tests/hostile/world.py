"""The store that hostile inputs are tried on, and what a run of the program did to it."""
import hashlib
import os
import pathlib
import shutil
import signal
import subprocess
import time

NOBODY = 65534
LIMIT_S = 30
ENDLESS_S = 0.5  # after which a verb that never ends by itself is told to

# What must never reach a terminal: escape sequences, C1 controls, marks that change the direction of
# text. In JSON, where text is what was stored, only what JSON itself forbids.
OBEYED = {*map(chr, range(0x20)), *map(chr, range(0x7F, 0xA0)), "\u200e", "\u200f", "\u061c", "\u2028",
          "\u2029", *map(chr, range(0x202A, 0x202F)), *map(chr, range(0x2066, 0x206A))} - {"\n"}
OBEYED_IN_JSON = set(map(chr, range(0x20))) - {"\n"}

TRICKS = "\x1b[31mred\x1b]0;title\x07 \u009b31m \u202egnp.exe\u2066 \r\b\x7f \u2028"


def as_user():
    """A user whom permissions bind: root is made nobody."""
    return {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}


def give_to_user(path):
    if os.geteuid() == 0:
        for folder, _, files in os.walk(path):
            os.chown(folder, NOBODY, NOBODY)
            for name in files:
                os.chown(os.path.join(folder, name), NOBODY, NOBODY, follow_symlinks=False)


class World:
    """A home, a store in it, and the program, in a folder that can be thrown away."""

    def __init__(self, program, folder):
        self.folder = pathlib.Path(folder)
        self.program = self.folder / "logwood"
        shutil.copy2(program, self.program)
        self.program.chmod(0o755)
        self.folder.chmod(0o711)
        self.home = self.folder / "home"
        self.store = self.home / "store"
        self.kept = self.folder / "kept"
        self.home.mkdir()
        give_to_user(self.home)
        self.fill()
        shutil.copytree(self.store, self.kept)

    def fill(self):
        """Session `s` is what verbs are asked about; `other` is what none of them may touch."""
        for session in ("s", "other"):
            self.must("new", "--id", session, "--key", f"main:cli:{session} {TRICKS}", "--cwd", TRICKS)
            self.must("append", session, "--user", f"hello {TRICKS}", "--assistant", "hi")
            self.must("append", session, stdin=(
                '{"type":"message","id":"e1","payload":{"role":"assistant","content":[{"type":"tool_use",'
                '"id":"c\\u001b[1m","name":"B\\u202eash\\u009b","input":{}}]}}\n'
                '{"type":"odd\\u001b[2J","id":"e2","payload":{"x":"\\u202e"}}\n'))
            self.must("label", session, f"a label {TRICKS}", "e1")

    def must(self, *words, stdin=""):
        done = self.run([*words, "--store", str(self.store)], stdin=stdin.encode())
        assert done.code == 0, (words, done.err)

    def fresh(self):
        """Puts the store back as it was made."""
        for path in (self.home, self.store):
            path.chmod(0o700)
        for path in self.home.iterdir():
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()
        shutil.copytree(self.kept, self.store)
        give_to_user(self.home)

    def hashes(self, *, but=()):
        """What every session, blob and removed session holds."""
        found = {}
        for name in ("sessions", "blobs", "trash", "logwood.json"):
            root = self.store / name
            for path in [root, *sorted(root.rglob("*"))] if root.is_dir() else [root]:
                relative = str(path.relative_to(self.store))
                if path.is_file() and not path.is_symlink() and path.stem not in but:
                    found[relative] = hashlib.sha256(path.read_bytes()).hexdigest()
        return found

    def run(self, words, stdin=b"", environment=None, cwd=None, closed=(), stdout=None, endless=False,
            leaves_folder=False):
        command = [str(self.program), *words]
        if leaves_folder:  # the program runs in a folder that is not there any more
            command = ["sh", "-c", 'rmdir -- "$PWD" && exec "$0" "$@"', *command]
        return Run(self, command, stdin, environment or {}, cwd or self.home, closed, stdout, endless)


class Run:
    """One run: its exit code, what it printed, and how long it took."""

    def __init__(self, world, command, stdin, environment, cwd, closed, stdout, endless):
        variables = {"HOME": str(world.home), "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8",
                     **environment}
        variables = {name: value for name, value in variables.items() if value is not None}

        def close():
            for number in closed:
                os.close(number)

        started = time.monotonic()
        process = subprocess.Popen(
            command, env=variables, cwd=cwd, stdin=subprocess.PIPE,
            stdout=stdout or subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=close, **as_user())
        self.timed_out = False
        try:
            if endless:
                stdin = None if stdin == b"" else stdin
            self.out, self.err = process.communicate(stdin, ENDLESS_S if endless else LIMIT_S)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT if endless else signal.SIGKILL)
            self.timed_out = not endless
            self.out, self.err = process.communicate(timeout=LIMIT_S)
        self.seconds = time.monotonic() - started
        self.code = process.returncode
        self.out, self.err = self.out or b"", self.err or b""

    def faults(self, allowed, *, json=False, says=True):
        """What is wrong with it, as text."""
        if self.timed_out:
            return f"it did not end in {LIMIT_S} s"
        if self.code < 0:
            return f"it was ended by signal {-self.code}"
        if self.code not in allowed:
            return f"it exits with {self.code}, not {' or '.join(map(str, sorted(allowed)))}"
        if self.code not in (0, 130) and says and not self.err.startswith(b"logwood: "):
            return "it fails and does not say why"
        for name, bytes_ in (("output", self.out), ("error output", self.err)):
            try:
                text = bytes_.decode()
            except UnicodeDecodeError:
                return f"its {name} is not UTF-8"
            bad = (OBEYED_IN_JSON if json and name == "output" else OBEYED) & set(text)
            if bad:
                return f"its {name} holds {', '.join(f'U+{ord(c):04X}' for c in sorted(bad))}"
        return ""
