"""Runs transcripts: commands as somebody types them, and what they see.

    run.py [--in-database] PROGRAM FILE...

A transcript is a text or Markdown file. Of Markdown only the blocks fenced with ```console count. A
line that begins with `$ ` is a command for bash; lines `> ` continue it. What follows is its output,
standard error included, and at the end `[3]` if that is its exit status and not 0. In expected
output `<any>` stands for anything on a line, `<id>` for an id and `<time>` for a timestamp.

The commands of a file run one after the other in one new folder, with HOME and the store in it, and
SAMPLES names the session files of other agents. With
--in-database the store is a new tenant of the database that servers/postgres.py has started; then
what is about a folder is left out: commands and output that name one of its files, and the command
after a line `% files`. Transcripts in in-database/ are about nothing else.
Exits 1 with a comparison where something else is seen.
"""
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import uuid

PLACEHOLDERS = {
    "<any>": r".*",
    "<id>": r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    "<time>": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z",
}
LIMIT_S = 60
SAMPLES = pathlib.Path(__file__).resolve().parent.parent / "agents/samples"
OF_FILES = re.compile(r"\.local\b|--path|there is no store|in \d files|catalog\.db")


def blocks(path):
    """The transcripts of a file, as lists of lines."""
    lines = path.read_text().splitlines()
    if path.suffix != ".md":
        return [lines]
    found, inside = [], None
    for line in lines:
        if inside is None and line == "```console":
            inside = []
        elif inside is not None and line == "```":
            found.append(inside)
            inside = None
        elif inside is not None:
            inside.append(line)
    return found


def steps(lines, in_database):
    """(command, expected lines) for every command that is to be run."""
    found, of_files, marked = [], set(), False
    for line in lines:
        if line.startswith("$ "):
            if marked:
                of_files.add(len(found))
            marked = False
            found.append((line[2:], []))
        elif line == "% files":
            marked = True
        elif line.startswith("> ") and found and not found[-1][1]:
            found[-1] = (found[-1][0] + "\n" + line[2:], [])
        elif found:
            found[-1][1].append(line)
    for _, expected in found:  # a blank line before the next command is for the reader
        while expected and not expected[-1]:
            expected.pop()
    if not in_database:
        return found
    return [step for number, step in enumerate(found) if number not in of_files and
            not OF_FILES.search("\n".join([step[0]] + step[1]))]


def new_tenant(program):
    """The URL of a store of its own, for a role that owns nothing."""
    name = str(uuid.uuid4())
    subprocess.run([program, "tenant", "add", name, "--role", "logwood_program",
                    "--store", os.environ["LOGWOOD_TEST_POSTGRES_OWNER"]],
                   check=True, stdout=subprocess.DEVNULL)
    return f"{os.environ['LOGWOOD_TEST_POSTGRES']}?tenant={name}"


def fits(expected, actual):
    pattern = re.escape(expected)
    for name, meaning in PLACEHOLDERS.items():
        pattern = pattern.replace(re.escape(name), meaning)
    return re.fullmatch(pattern, actual) is not None


def see(command, folder, environment):
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=LIMIT_S, errors="backslashreplace")
    seen = done.stdout.splitlines()
    return seen + ([f"[{done.returncode}]"] if done.returncode else [])


def run(program, path, in_database):
    """What differs, as lines; the number of commands."""
    differences, count = [], 0
    with tempfile.TemporaryDirectory() as folder:
        environment = {"PATH": f"{program.parent}:{os.environ['PATH']}", "HOME": folder,
                       "LC_ALL": "C.UTF-8", "TMPDIR": folder, "SAMPLES": str(SAMPLES)}
        if in_database:
            environment["LOGWOOD_STORE"] = new_tenant(program)
        for lines in blocks(path):
            for command, expected in steps(lines, in_database and path.parent.name != "in-database"):
                count += 1
                actual = see(command, folder, environment)
                if len(actual) == len(expected) and all(map(fits, expected, actual)):
                    continue
                differences.append(f"{path}: $ {command}")
                differences += difflib.unified_diff(expected, actual, "expected", "seen", lineterm="")
    return differences, count


def main():
    arguments = [word for word in sys.argv[1:] if word != "--in-database"]
    in_database = len(arguments) < len(sys.argv) - 1
    program, files = pathlib.Path(arguments[0]).resolve(), [pathlib.Path(f) for f in arguments[1:]]
    differences, count = [], 0
    for path in files:
        differs, commands = run(program, path, in_database)
        differences += differs
        count += commands
    print("\n".join(differences) or f"{len(files)} transcripts, {count} commands")
    return 1 if differences else 0


sys.exit(main())
