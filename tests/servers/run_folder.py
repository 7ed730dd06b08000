"""The folder of one run of a server, and the processes that live no longer than the run.

A run can end without cleaning up after itself: kill -9 leaves it no time. So its processes ask the
kernel to be ended with it, and its folder holds a locked file: a folder whose lock is free belongs to
nobody, and the next run removes it.
"""
import ctypes
import fcntl
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

# Not TMPDIR: the path of a socket has at most 107 bytes, and the user postgres must be able to get there.
PARENT = pathlib.Path("/tmp")
LOCK = "run.lock"

_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None, use_errno=True)


class RunFolder:
    """A new folder that everybody may enter. It is locked by this process, and by no child of it."""

    def __init__(self, kind):
        for abandoned in abandoned_folders(kind):
            shutil.rmtree(abandoned, ignore_errors=True)
        # It gets the name that others look for only when it is locked: they would remove it.
        unnamed = pathlib.Path(tempfile.mkdtemp(prefix=f".{kind}-{os.getpid()}-", dir=PARENT))
        self.lock = os.open(unnamed / LOCK, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o644)
        fcntl.flock(self.lock, fcntl.LOCK_EX)
        unnamed.chmod(0o755)
        self.path = unnamed.rename(PARENT / unnamed.name[1:])

    def remove(self):
        shutil.rmtree(self.path, ignore_errors=True)
        os.close(self.lock)


def is_abandoned(folder):
    """Whether the run that made the folder is gone."""
    try:
        lock = os.open(folder / LOCK, os.O_RDWR | os.O_CLOEXEC)
    except (FileNotFoundError, PermissionError):
        return False  # it is being removed, or another user's
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    except BlockingIOError:
        return False
    finally:
        os.close(lock)


def abandoned_folders(kind):
    return [folder for folder in sorted(PARENT.glob(f"{kind}-*-*")) if is_abandoned(folder)]


def start_bound(command, *, at_our_end=signal.SIGKILL, **options):
    """Starts a process that gets the signal when this one ends, however it ends."""
    parent = os.getpid()

    def bind():
        _libc.prctl(_PR_SET_PDEATHSIG, at_our_end)
        if os.getppid() != parent:  # it ended before the kernel was asked
            os._exit(1)

    # Runs after the change of user, which would undo it.
    return subprocess.Popen(command, preexec_fn=bind, **options)


def stop(process, with_signal, patience_s=10):
    """Ends the process and waits for it: politely, then not."""
    if process.poll() is not None:
        return
    process.send_signal(with_signal)
    try:
        process.wait(patience_s)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
