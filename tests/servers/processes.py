"""Processes that live no longer than the one that started them, and a command run as if it were us."""
import ctypes
import os
import signal
import subprocess

_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None, use_errno=True)


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


class Ended(Exception):
    """Somebody asked this process to end."""

    def __init__(self, number):
        super().__init__(number)
        self.number = number


def run_command(command, variables):
    """Its exit status, 128 more than the signal if one ended it. A signal to us is passed on to it."""
    process = start_bound(command, env={**os.environ, **variables})
    try:
        code = process.wait()
    except Ended as ended:
        stop(process, ended.number)
        return 128 + ended.number
    return code if code >= 0 else 128 - code


def end_by_signals():
    """Makes the signals that ask to end an exception, so that what was started is stopped."""
    def end(number, _):
        raise Ended(number)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, end)
