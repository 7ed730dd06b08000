"""The folder of one run of a server.

A run can end without cleaning up after itself: kill -9 leaves it no time. So its folder holds a locked
file: a folder whose lock is free belongs to nobody, and the next run removes it.
"""
import fcntl
import os
import pathlib
import shutil
import tempfile

# Not TMPDIR: the path of a socket has at most 107 bytes, and the user postgres must be able to get there.
PARENT = pathlib.Path("/tmp")
LOCK = "run.lock"


class RunFolder:
    """A new folder, closed to others, for passwords are in it. It is locked by this process, and by no child of it."""

    def __init__(self, kind):
        for abandoned in abandoned_folders(kind):
            _remove(abandoned)
        # It gets the name that others look for only when it is locked: they would remove it.
        unnamed = pathlib.Path(tempfile.mkdtemp(prefix=f".{kind}-{os.getpid()}-", dir=PARENT))
        self.lock = os.open(unnamed / LOCK, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o644)
        fcntl.flock(self.lock, fcntl.LOCK_EX)
        self.path = unnamed.rename(PARENT / unnamed.name[1:])

    def remove(self):
        _remove(self.path)
        os.close(self.lock)


def _remove(folder):
    """The lock goes last: a removal that is cut short is finished by the next run."""
    for child in folder.iterdir():
        if child.is_dir():
            shutil.rmtree(child, ignore_errors=True)
        elif child.name != LOCK:
            child.unlink(missing_ok=True)
    shutil.rmtree(folder, ignore_errors=True)


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
