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
