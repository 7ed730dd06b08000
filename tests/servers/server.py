"""What every server here needs: a user who may run it, a port, and a way to say why it does not start."""
import os
import pwd
import socket

STARTS = 3  # as often as the port may turn out to be taken


class ServerError(Exception):
    """A server that does not start; the message says why."""


def server_user():
    """PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return {}
    try:
        user = pwd.getpwnam("postgres")
    except KeyError:
        raise ServerError("there is no user postgres: run tools/install-deps") from None
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def free_port():
    """One that nobody listens on now. Somebody may a moment later, so a start is tried again."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
