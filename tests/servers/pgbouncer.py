"""A pgbouncer in transaction mode, in front of a server."""
import os
import signal
import socket
import subprocess
import time

from processes import start_bound, stop
from server import STARTS, ServerError, free_port, server_user

PROGRAM = "/usr/sbin/pgbouncer"
START_LIMIT_S = 20

# A pool smaller than the number of clients in tests: statements of one client do change the connection,
# as they would on a busy server. Everything else that decides what a client may send is pgbouncer's default.
CONFIGURATION = """
[databases]
{database} = host={folder} port={server_port} dbname={database}

[pgbouncer]
pool_mode = transaction
default_pool_size = 4
max_client_conn = 200
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = {folder}/pgbouncer.users
"""


class PgBouncer:
    """A running one; a context manager. Its files are in the folder of the server, which is on a socket there."""

    def __init__(self, folder, server_port, database, passwords):
        if not os.path.exists(PROGRAM):
            raise ServerError(f"{PROGRAM} does not exist: run tools/install-deps")
        self.folder = folder
        self.log = folder / "pgbouncer.log"
        (folder / "pgbouncer.users").write_text(
            "".join(f'"{role}" "{password}"\n' for role, password in passwords.items()))
        for _ in range(STARTS):
            self.port = free_port()
            (folder / "pgbouncer.ini").write_text(CONFIGURATION.format(
                folder=folder, server_port=server_port, database=database, port=self.port))
            with open(self.log, "ab") as log:
                self.process = start_bound([PROGRAM, folder / "pgbouncer.ini"], cwd=folder,
                                           stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                           start_new_session=True, **server_user())
            if self._is_ready():
                return
        raise ServerError(f"pgbouncer does not start; its log says:\n{self.log.read_text(errors='replace').strip()}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        stop(self.process, signal.SIGTERM)

    def _is_ready(self):
        """Waits until it listens. False when it ended instead."""
        deadline = time.monotonic() + START_LIMIT_S
        while self.process.poll() is None and time.monotonic() < deadline:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return True
            except OSError:
                time.sleep(0.02)
        stop(self.process, signal.SIGTERM)
        return False
