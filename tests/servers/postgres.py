#!/usr/bin/env python3
"""A PostgreSQL 15 that lives as long as a command.

    postgres.py run [--pgbouncer] [--setting NAME=VALUE]... [--log FILE] -- COMMAND...

Makes a server in a new folder, with checksums and a durable commit, and two roles as a store should
have them: logwood_owner, who owns the database `logwood` and may change its schema, and
logwood_program, who owns nothing and may only connect. COMMAND finds their URLs in its environment:

    LOGWOOD_TEST_POSTGRES          logwood_program, over TCP
    LOGWOOD_TEST_POSTGRES_OWNER    logwood_owner, over TCP
    LOGWOOD_TEST_POSTGRES_SUPER    the superuser, over the socket
    LOGWOOD_TEST_PGBOUNCER         logwood_program through pgbouncer in transaction mode, if asked for

Exits with the status of COMMAND. Whatever ends first, nothing is left behind. In Python:

    with Postgres() as server: ... server.program_url ...
"""
import argparse
import os
import pathlib
import secrets
import signal
import subprocess
import sys
import time

from pgbouncer import PgBouncer
from processes import Ended, end_by_signals, run_command, start_bound, stop
from run_folder import RunFolder
from server import STARTS, ServerError, free_port, server_user

PROGRAMS = pathlib.Path("/usr/lib/postgresql/15/bin")
START_LIMIT_S = 60

OWNER, PROGRAM, SUPERUSER, DATABASE = "logwood_owner", "logwood_program", "postgres", "logwood"

# What a database is given before logwood sees it. Roles are named even where it is the default:
# a role that passes row-level security by would make every test of it worthless.
ROLES = """
create role {owner} login nosuperuser nocreatedb nocreaterole nobypassrls password '{password}';
create role {program} login nosuperuser nocreatedb nocreaterole nobypassrls password '{password}';
create database {database} owner {owner};
revoke all on database {database} from public;
grant connect on database {database} to {program};
"""


class Postgres:
    """A running server; a context manager."""

    def __init__(self, settings=None):
        self.password = secrets.token_hex(8)
        self.settings = settings or {}
        self.process = None
        self.folder = RunFolder("logwood-postgres")
        try:
            self._make()
            self._start()
            self.sql(ROLES.format(owner=OWNER, program=PROGRAM, database=DATABASE, password=self.password),
                     database="postgres")
        except BaseException:
            self.stop()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    @property
    def log(self):
        return self.folder.path / "log"

    @property
    def program_url(self):
        return self.tcp_url(PROGRAM, self.port)

    @property
    def owner_url(self):
        return self.tcp_url(OWNER, self.port)

    @property
    def super_url(self):
        return f"postgres://{SUPERUSER}:{self.password}@/{DATABASE}?host={self.folder.path}&port={self.port}"

    @property
    def passwords(self):
        return {OWNER: self.password, PROGRAM: self.password}

    def tcp_url(self, role, port):
        return f"postgres://{role}:{self.password}@127.0.0.1:{port}/{DATABASE}"

    def sql(self, statements, database=DATABASE):
        """Runs statements as the superuser; the rows as text."""
        url = self.super_url.replace(f"/{DATABASE}?", f"/{database}?")
        done = subprocess.run([PROGRAMS / "psql", "-XAtq", "-v", "ON_ERROR_STOP=1", url], input=statements,
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise ServerError(f"psql: {done.stderr.strip()}")
        return done.stdout

    def stop(self):
        if self.process:
            stop(self.process, signal.SIGQUIT)  # without a last checkpoint: nobody will start it again
        self.folder.remove()

    def _make(self):
        if not (PROGRAMS / "initdb").exists():
            raise ServerError(f"{PROGRAMS}/initdb does not exist: run tools/install-deps")
        user = server_user()
        if user:
            os.chown(self.folder.path, user["user"], user["group"])
        password_file = self.folder.path / "password"
        password_file.write_text(self.password)
        made = subprocess.run(
            [PROGRAMS / "initdb", "--pgdata", self.folder.path / "data", "--username", SUPERUSER,
             "--pwfile", password_file, "--auth", "scram-sha-256", "--encoding", "UTF8", "--locale", "C.UTF-8",
             "--data-checksums", "--no-sync", "--no-instructions"],
            cwd=self.folder.path, capture_output=True, text=True, check=False, **user)
        if made.returncode != 0:
            raise ServerError(f"initdb: {made.stderr.strip()}")

    def _start(self):
        for _ in range(STARTS):
            self.port = free_port()
            settings = {"listen_addresses": "127.0.0.1", "port": self.port, "max_connections": 200,
                        "unix_socket_directories": self.folder.path, "fsync": "on", **self.settings}
            command = [PROGRAMS / "postgres", "-D", self.folder.path / "data"]
            for name, value in settings.items():
                command += ["-c", f"{name}={value}"]
            with open(self.log, "ab") as log:
                # A session of its own: Ctrl-C is for the command, and the server outlives it.
                self.process = start_bound(command, at_our_end=signal.SIGQUIT, cwd=self.folder.path,
                                           stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                           start_new_session=True, **server_user())
            if self._is_ready():
                return
        raise ServerError(f"the server does not start; its log says:\n{self.log.read_text(errors='replace').strip()}")

    def _is_ready(self):
        """Waits until it answers. False when it ended instead."""
        deadline = time.monotonic() + START_LIMIT_S
        state = self.folder.path / "data/postmaster.pid"
        while self.process.poll() is None and time.monotonic() < deadline:
            try:
                lines = state.read_text().splitlines()
            except FileNotFoundError:
                lines = []
            # The last line of the file is where the server says how far it is.
            if len(lines) >= 8 and lines[0] == str(self.process.pid) and lines[7].strip() == "ready":
                return True
            time.sleep(0.02)
        stop(self.process, signal.SIGQUIT)
        return False


def setting(text):
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    return name, value


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=["run"])
    parser.add_argument("--pgbouncer", action="store_true", help="one in front of the server")
    parser.add_argument("--setting", action="append", type=setting, default=[], metavar="NAME=VALUE")
    parser.add_argument("--log", type=pathlib.Path, help="where the log of the server is put at the end")
    parser.add_argument("command", nargs="+", metavar="COMMAND")
    return parser.parse_args()


def run(given, server):
    variables = {"LOGWOOD_TEST_POSTGRES": server.program_url, "LOGWOOD_TEST_POSTGRES_OWNER": server.owner_url,
                 "LOGWOOD_TEST_POSTGRES_SUPER": server.super_url}
    try:
        if not given.pgbouncer:
            return run_command(given.command, variables)
        with PgBouncer(server.folder.path, server.port, DATABASE, server.passwords) as bouncer:
            variables["LOGWOOD_TEST_PGBOUNCER"] = server.tcp_url(PROGRAM, bouncer.port)
            return run_command(given.command, variables)
    finally:
        if given.log:
            given.log.write_bytes(server.log.read_bytes())


def main():
    given = arguments()
    end_by_signals()
    try:
        with Postgres(dict(given.setting)) as server:
            return run(given, server)
    except Ended as ended:
        return 128 + ended.number
    except (ServerError, OSError) as error:
        print(f"postgres.py: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
