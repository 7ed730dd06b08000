"""Agents run where they reach nobody and find nothing of the user: without a network, with a home of
their own, and not a moment longer than the test.
"""
import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "servers"))

from processes import start_bound, stop  # noqa: E402

_OUTSIDE = "LOGWOOD_TEST_NETWORK_OUTSIDE"


def leave_network():
    """Goes on with this program in a network that is only a loopback, as the same process."""
    network = os.readlink("/proc/self/ns/net")
    if os.environ.pop(_OUTSIDE, network) == network:
        as_root = [] if os.geteuid() == 0 else ["--map-root-user"]
        os.environ[_OUTSIDE] = network
        os.execvp("unshare", ["unshare", "--net", *as_root, sys.executable, *sys.argv])
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)


@contextlib.contextmanager
def home():
    """A folder that is gone afterwards."""
    made = pathlib.Path(tempfile.mkdtemp(prefix="logwood-agent-"))
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


def start(command, user_home, variables, **options):
    """Starts an agent that sees these variables and no others."""
    surroundings = {"PATH": os.environ["PATH"], "HOME": str(user_home), "TMPDIR": str(user_home), **variables}
    return start_bound(command, env=surroundings, start_new_session=True, **options)


def end(process, patience_s=10):
    """Lets it end by itself for a while, and leaves nothing of it running."""
    try:
        process.wait(patience_s)
    except subprocess.TimeoutExpired:
        stop(process, signal.SIGTERM)
    try:
        os.killpg(process.pid, signal.SIGKILL)  # what it started and did not wait for
    except ProcessLookupError:
        pass
