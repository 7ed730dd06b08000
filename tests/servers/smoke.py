"""The servers of the tests start, let both roles in, directly and through pgbouncer, and leave nothing
behind: neither a run that ends, nor one that is killed.
"""
import glob
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
RUN = [sys.executable, str(HERE / "postgres.py"), "run", "--pgbouncer", "--"]
LIMIT_S = 60
STATUS = 7  # of the command, and therefore of the run

# Each server as each role: who that is, and whether it may make a table.
ASK = f"""
through=${{LOGWOOD_TEST_PGBOUNCER#*@}}
as_owner=${{LOGWOOD_TEST_POSTGRES_OWNER%@*}}
for url in "$LOGWOOD_TEST_POSTGRES" "$LOGWOOD_TEST_POSTGRES_OWNER" "$LOGWOOD_TEST_PGBOUNCER" "$as_owner@$through"; do
  psql -XAtc "select current_user, has_schema_privilege('public', 'create')" "$url" || exit 1
done
exit {STATUS}
"""
ANSWERS = ["logwood_program|f", "logwood_owner|t"] * 2


def working_in(place):
    """The processes whose folder lies below one whose path begins like this. A dead one has no folder."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if os.readlink(process / "cwd").startswith(str(place)):
                found.append(int(process.name))
        except OSError:
            pass
    return found


def folder_of(run):
    """Where the servers of a run work: the path begins like this."""
    return f"/tmp/logwood-postgres-{run.pid}-"


def wait_until(condition):
    deadline = time.monotonic() + LIMIT_S
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)
    return condition()


def killed(here):
    """A run that was killed while its command ran; what is wrong, as lines."""
    problems = []
    run = subprocess.Popen([*RUN, "sh", "-c", f"touch started; exec sleep {LIMIT_S}"], cwd=here)
    if not wait_until((here / "started").exists):
        problems.append(f"no command is run within {LIMIT_S} s")
    elif len(working_in(folder_of(run))) < 2 or len(working_in(here)) < 2:
        problems.append("the servers and the command are not where this test looks for them")
    run.kill()
    run.wait()
    if not wait_until(lambda: not working_in(folder_of(run)) and not working_in(here)):
        problems.append(f"a run that is killed leaves {working_in(folder_of(run)) + working_in(here)}")
    return run, problems


def asked(here):
    """A run that asks and ends; what is wrong, as lines."""
    run = subprocess.Popen([*RUN, "bash", "-c", ASK], cwd=here, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                           text=True)
    printed, _ = run.communicate(timeout=LIMIT_S)
    problems = []
    if printed.split() != ANSWERS:
        problems.append(f"the roles are not let in as they should be: {printed}")
    elif run.returncode != STATUS:
        problems.append(f"the command exits with {STATUS}, the run with {run.returncode}")
    if left := working_in(folder_of(run)):
        problems.append(f"a run leaves {left}")
    return run, problems


def main():
    runs, problems = [], []
    with tempfile.TemporaryDirectory() as here:
        for part in (killed, asked):
            run, wrong = part(pathlib.Path(here).resolve())
            runs.append(run)
            problems += wrong
    # The second run has removed the folder that the first one could not remove.
    problems += [f"{folder} is left" for run in runs for folder in glob.glob(folder_of(run) + "*")]
    print("\n".join(problems) or "both roles on both servers; nothing is left behind")
    return bool(problems)


sys.exit(main())
