"""The Patroni that keeps a cluster, and how it is told to.

A current one comes from PyPI and speaks to etcd through its v3 API. Without PyPI it is Debian's 3.0.2,
and then through the v2 API: with v3 that version overwrites the leader key of another after a partition
(mended in 3.0.3, https://github.com/patroni/patroni/pull/2689), and acknowledged entries are lost.
"""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

from network import SUBNET
from postgres import PROGRAMS, SUPERUSER
from server import ServerError

VERSION = "4.1.5"
# Debian's, whatever is first in PATH: what Patroni imports (psycopg2, etcd, yaml, …) is packaged for it.
PYTHON = "/usr/bin/python3"
DEBIAN_PROGRAM = "/usr/bin/patroni"
DOWNLOAD_LIMIT_S = 120


class Patroni:
    """A program and the API of etcd that is safe with it."""

    def __init__(self, command, path, description, dcs):
        self.command = command
        self.path = path
        self.description = description
        self.dcs = dcs


def install(cache, run_folder):
    """The current one from the cache, which is filled at first; or Debian's."""
    package = pathlib.Path(cache) / f"patroni-{VERSION}"
    problem = None if package.is_dir() else _download(package)
    if not problem:
        # The user postgres need not be able to read the cache.
        copy = run_folder / "patroni"
        shutil.copytree(package, copy)
        return Patroni([PYTHON, "-m", "patroni"], str(copy), f"Patroni {VERSION} of PyPI, etcd v3 API", "etcd3")
    if not os.path.exists(DEBIAN_PROGRAM):
        raise ServerError(f"{DEBIAN_PROGRAM} does not exist: run tools/install-deps")
    described = subprocess.run([DEBIAN_PROGRAM, "--version"], capture_output=True, text=True, check=True)
    version = described.stdout.split()[-1]
    return Patroni([DEBIAN_PROGRAM], "", f"Patroni {version} of Debian, etcd v2 API (PyPI: {problem})", "etcd")


def _download(package):
    """What went wrong, in a line; nothing if it is there."""
    package.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=package.parent) as unfinished:
        # Without dependencies: those of Debian's patroni serve this one too.
        command = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "1",
                   "--timeout", "10", "--no-deps", "--no-compile", "--target", f"{unfinished}/package",
                   f"patroni=={VERSION}"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=DOWNLOAD_LIMIT_S)
        except subprocess.TimeoutExpired:
            return f"nothing in {DOWNLOAD_LIMIT_S} s"
        if done.returncode != 0:
            said = done.stderr.strip().splitlines() or ["pip failed"]
            return said[-1].removeprefix("ERROR: ")
        try:
            os.rename(f"{unfinished}/package", package)
        except OSError:
            if not package.is_dir():  # another run was first otherwise
                raise
    return None


def configuration(patroni, name, address, etcd_hosts, folder, password):
    """What a node is told, as text; JSON is YAML. Every time is as short as Patroni allows."""
    access = [f"host replication replicator {SUBNET}.0/24 scram-sha-256", f"host all all {SUBNET}.0/24 scram-sha-256",
              "host replication replicator 127.0.0.1/32 trust", "host all all 127.0.0.1/32 trust",
              "local replication replicator trust", "local all all trust"]
    return json.dumps({
        "scope": "logwood",
        "name": name,
        "restapi": {"listen": f"{address}:8008", "connect_address": f"{address}:8008"},
        patroni.dcs: {"hosts": ",".join(f"{host}:2379" for host in etcd_hosts)},
        "bootstrap": {
            "dcs": {
                "ttl": 20, "loop_wait": 1, "retry_timeout": 3,
                "maximum_lag_on_failover": 1 << 20,
                # Strict: without a standby there is no acknowledgement, not a weaker one.
                "synchronous_mode": True, "synchronous_mode_strict": True, "synchronous_node_count": 1,
                "postgresql": {
                    "use_pg_rewind": True, "use_slots": True,
                    "parameters": {
                        "wal_level": "replica", "hot_standby": "on", "max_connections": 200,
                        "max_wal_senders": 10, "max_replication_slots": 10, "synchronous_commit": "on",
                        "shared_buffers": "64MB", "wal_sender_timeout": "5s", "wal_receiver_timeout": "5s",
                        "tcp_user_timeout": 5000, "log_min_messages": "warning"}}},
            "initdb": [{"encoding": "UTF8"}, {"locale": "C.UTF-8"}, "data-checksums"]},
        "postgresql": {
            # Also 127.0.0.1 and a socket: Patroni on an isolated node still reaches its own server.
            "listen": f"{address},127.0.0.1:5432", "connect_address": f"{address}:5432", "use_unix_socket": True,
            "data_dir": f"{folder}/data", "bin_dir": str(PROGRAMS), "pgpass": f"{folder}/pgpass", "pg_hba": access,
            "authentication": {
                "superuser": {"username": SUPERUSER, "password": password},
                "replication": {"username": "replicator", "password": password},
                "rewind": {"username": "rewinder", "password": password}},
            "parameters": {"unix_socket_directories": str(folder)}},
        "watchdog": {"mode": "off"},
    }, indent=1)
