#!/usr/bin/env python3
"""Three nodes of PostgreSQL 15 under Patroni and etcd, with strict synchronous replication.

    cluster.py run [--cache FOLDER] -- COMMAND...   a cluster that lives as long as COMMAND
    cluster.py up [--cache FOLDER]                  one that lives until `down`
    cluster.py down                                 ends it, and removes what dead runs left
    cluster.py status | leader | url | owner-url
    cluster.py exec -- COMMAND...                   runs COMMAND where clients are
    cluster.py kill-postmaster | kill-node N | start-node N | isolate N | heal N
    cluster.py cut-replication | restore-replication N | asynchronous

COMMAND runs on the machine of the clients and finds LOGWOOD_TEST_POSTGRES and the other variables of
postgres.py in its environment. FOLDER is where a Patroni from PyPI is kept. Needs root: the machines
are namespaces of the kernel, and nothing of them is on the network of the host.
"""
import argparse
import contextlib
import http.client
import json
import os
import pathlib
import secrets
import shutil
import signal
import subprocess
import sys
import time

import network
import patroni
from postgres import DATABASE, OWNER, PROGRAM, PROGRAMS, ROLES, SUPERUSER
from processes import Ended, end_by_signals, run_command
from run_folder import LOCK, PARENT, RunFolder, is_abandoned
from server import ServerError, server_user

HERE = pathlib.Path(__file__).resolve().parent
CACHE = HERE.parents[1] / "build/servers"
KIND = "logwood-cluster"
KEPT = "kept"
NODES = (1, 2, 3)
MACHINES = {"n1": 11, "n2": 12, "n3": 13, "client": 100}
UP_LIMIT_S = 120
STUCK_S = 40  # a replica that takes longer to come up will not
KILL_LIMIT_S = 30
ASK_LIMIT_S = 1
POLL_S = 0.1


class Cluster:
    """A cluster that is there. Made by start(), found by find(); its state is in its folder."""

    def __init__(self, folder, owned=None):
        self.folder = folder
        self.owned = owned  # the RunFolder, in the process that made the cluster
        self.state = json.loads((folder / "state.json").read_text())
        self.password = self.state["password"]
        self.network = network.Network(self.state["run"], MACHINES)
        self.isolated = set()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.down()

    # --- life ---------------------------------------------------------------------------------

    def down(self):
        for node in NODES:
            self.kill_node(node)
        self.network.remove()
        self.owned.remove()

    def start_node(self, node):
        """Switches a node on. It joins by itself."""
        home = self.folder / f"n{node}"
        # Process ids begin anew on a machine that boots: the one a dead server left in its lock files
        # may now be another process, and the server would refuse to start.
        for stale in (home / "data/postmaster.pid", home / ".s.PGSQL.5432.lock"):
            stale.unlink(missing_ok=True)
        command = ["unshare", "--pid", "--ipc", "--fork", "--kill-child", "--mount-proc",
                   patroni.PYTHON, str(HERE / "node.py"), str(home / "node.json")]
        with self.network.inside(f"n{node}"), open(home / "node.log", "ab") as log:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                       start_new_session=True)
        (home / "node.pid").write_text(str(process.pid))

    def kill_node(self, node):
        """Switches a node off: none of its processes gets to do anything more. Returns when all are gone."""
        supervisor = self._supervisor(node)
        if supervisor is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.kill(_child_of(supervisor) or supervisor, signal.SIGKILL)
        # It waits for process 1 of the node, which the kernel lets go only after all others.
        _until(lambda: self._supervisor(node) is None, KILL_LIMIT_S, lambda: f"the processes of n{node} do not end")

    def kill_postmaster(self):
        """kill -9 of the leader's server process; the node that had it."""
        leader = self.leader()
        if leader is None:
            raise ServerError("there is no leader whose server could be killed")
        pid = (self.folder / f"n{leader}/data/postmaster.pid").read_text().split()[0]
        subprocess.run(["nsenter", "--target", str(_child_of(self._supervisor(leader))), "--pid",
                        "kill", "-9", pid], check=True)
        return leader

    def isolate(self, node):
        self.network.isolate(f"n{node}")
        self.isolated.add(node)

    def heal(self, node):
        self.network.heal(f"n{node}")
        self.isolated.discard(node)

    def cut_replication(self):
        """What the leader sends to standbys is lost, while etcd sees nothing wrong; the leader."""
        leader = self.leader()
        others = [f"n{node}" for node in NODES if node != leader]
        self.network.drop_from_port(f"n{leader}", 5432, others)
        return leader

    def restore_replication(self, node):
        self.network.drop_nothing(f"n{node}")

    def set_asynchronous(self):
        """The cluster as it must not be run: a commit waits for nobody, and a standby far behind may lead."""
        change = {"synchronous_mode": False, "synchronous_mode_strict": False, "maximum_lag_on_failover": 1 << 30}
        self._ask(self.leader(), "PATCH", "/config", json.dumps(change))
        _until(lambda: self.sql("show synchronous_standby_names").strip() == "", 30,
               lambda: "commits still wait for a standby")

    # --- questions ----------------------------------------------------------------------------

    def url(self, role=PROGRAM, node=None):
        """All nodes, of which clients take the one that writes; or a single one."""
        machines = [f"n{n}" for n in ([node] if node else NODES)]
        hosts = ",".join(f"{self.network.address(machine)}:5432" for machine in machines)
        return f"postgres://{role}:{self.password}@{hosts}/{DATABASE}?target_session_attrs=read-write"

    def variables(self):
        return {"LOGWOOD_TEST_POSTGRES": self.url(), "LOGWOOD_TEST_POSTGRES_OWNER": self.url(OWNER),
                "LOGWOOD_TEST_POSTGRES_SUPER": self.url(SUPERUSER)}

    def leader(self):
        """The node that runs as primary and holds the leader key; nothing while there is none."""
        for node in NODES:
            if node not in self.isolated and self._ask(node, "GET", "/primary") is not None:
                return node
        return None

    def members(self):
        """What Patroni says about every node: name, role, state, timeline, lag."""
        for node in NODES:
            if node not in self.isolated and (text := self._ask(node, "GET", "/cluster")) is not None:
                return json.loads(text).get("members", [])
        return []

    def status(self):
        return " ".join(f"{member['name']}={member['role']}/{member['state']}(timeline {member.get('timeline', '?')})"
                        for member in self.members()) or "no node answers"

    def is_healthy(self):
        """A leader that all follow, one of them synchronously, on one timeline."""
        members = self.members()
        states = sorted((member["role"], member["state"]) for member in members)
        synchronous = [("leader", "running"), ("replica", "streaming"), ("sync_standby", "streaming")]
        # Patroni 3.0.2 calls a standby that streams running.
        states = [(role, "streaming" if role != "leader" and state == "running" else state) for role, state in states]
        return (sorted(states) == synchronous and len({member.get("timeline") for member in members}) == 1
                and self.leader() is not None)

    def wait_healthy(self, limit_s=UP_LIMIT_S):
        made_anew, since = set(), time.monotonic()

        def is_healthy():
            if self.is_healthy():
                return True
            if time.monotonic() - since > STUCK_S:
                made_anew.update(self._make_stuck_replicas_anew(made_anew))
            return False

        _until(is_healthy, limit_s, lambda: f"the cluster is not healthy after {limit_s} s: {self.status()}")

    def _make_stuck_replicas_anew(self, already):
        """A replica that had more than the node which leads now, and was killed, waits for what nobody has any more:
        Patroni looks for that only in one that runs. It is made anew, as an operator would, while two others have
        everything."""
        members = self.members()
        if not {("leader", "running"), ("sync_standby", "streaming")} <= {(one["role"], one["state"]) for one in members}:
            return
        for one in members:
            if one["role"] == "replica" and one["state"] == "starting" and one["name"] not in already:
                print(f"cluster: {one['name']} does not come up, and is made anew", flush=True)
                self._ask(int(one["name"][1:]), "POST", "/reinitialize", '{"force": true}')
                yield one["name"]

    def wait_leader(self, limit_s, other_than=None):
        """The next leader, once it takes writes. `other_than` is a node that cannot be it."""
        def leads():
            leader = self.leader()
            return leader if leader != other_than and self._writes() else None
        return _until(leads, limit_s, lambda: f"no leader after {limit_s} s: {self.status()}")

    def wait_until_a_commit_waits(self, node, limit_s):
        """Until a client on the node itself has committed there and waits for the standby."""
        waiting = "select 1 from pg_stat_activity where wait_event = 'SyncRep' and client_addr = inet_server_addr()"
        _until(lambda: self._tried(waiting, node=node), limit_s, lambda: f"no client on n{node} waits for a commit")

    def sql(self, statement, database=DATABASE, node=None, limit_s=10):
        """Rows as text, as the superuser: from the node that writes, or from a given one, asked by itself."""
        url = self.url(SUPERUSER, node).replace(f"/{DATABASE}?", f"/{database}?connect_timeout=2&")
        if node:
            url = url.replace("=read-write", "=any")
        with self.network.inside(f"n{node}" if node else "client"):
            try:
                done = subprocess.run([PROGRAMS / "psql", "-XAtq", "-v", "ON_ERROR_STOP=1", url], input=statement,
                                      capture_output=True, text=True, check=False, timeout=limit_s)
            except subprocess.TimeoutExpired:
                raise ServerError(f"psql: no answer in {limit_s} s") from None
        if done.returncode != 0:
            raise ServerError(f"psql: {done.stderr.strip()}")
        return done.stdout

    def has_database(self, node):
        return self._tried("select 'yes'", node=node)

    def _writes(self):
        # Something in the log of the server: a commit without would not wait for the standby.
        return self._tried("select pg_logical_emit_message(true, 'logwood', 'is there a leader?')", limit_s=3)

    def _tried(self, statement, **options):
        """Whether there are rows; not when nobody gives an answer."""
        try:
            return self.sql(statement, **options) != ""
        except ServerError:
            return False

    def _ask(self, node, method, path, body=None):
        """The answer of a node's Patroni; nothing if it gives none, or not the one hoped for."""
        with self.network.inside("client"):
            connection = http.client.HTTPConnection(self.network.address(f"n{node}"), 8008, timeout=ASK_LIMIT_S)
            try:
                connection.request(method, path, body)
                answer = connection.getresponse()
                text = answer.read().decode()
                return text if answer.status == 200 else None
            except (OSError, http.client.HTTPException):
                return None
            finally:
                connection.close()

    def _supervisor(self, node):
        """The process outside the node that waits for its process 1; nothing when the node is off."""
        try:
            pid = int((self.folder / f"n{node}/node.pid").read_text())
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)
            state = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return None
        return None if state == "Z" else pid


def _child_of(pid):
    try:
        children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return int(children[0]) if children else None


def _until(condition, limit_s, complaint):
    """The first true answer; ServerError when there is none in time."""
    deadline = time.monotonic() + limit_s
    while not (answer := condition()):
        if time.monotonic() > deadline:
            raise ServerError(complaint())
        time.sleep(POLL_S)
    return answer


# --- making one -----------------------------------------------------------------------------------

def start(cache=CACHE):
    """A healthy cluster with the roles of a store."""
    if os.geteuid() != 0:
        raise ServerError("a cluster needs root, for its network")
    remove_abandoned()
    folder = RunFolder(KIND)
    folder.path.chmod(0o711)  # the user postgres goes through it to the folders of the nodes
    try:
        chosen = patroni.install(cache, folder.path)
        cluster = _describe(folder, chosen)
    except BaseException:
        folder.remove()
        raise
    print(f"cluster: {chosen.description}", flush=True)
    try:
        cluster.network.make()
        for node in NODES:
            _prepare_node(cluster, node, chosen)
            cluster.start_node(node)
        cluster.wait_healthy()
        cluster.sql(ROLES.format(owner=OWNER, program=PROGRAM, database=DATABASE, password=cluster.password),
                    database="postgres")
        # A client that asks a standby first, and hears that there is no such database, does not ask the next node.
        _until(lambda: all(map(cluster.has_database, NODES)), UP_LIMIT_S, lambda: "the standbys do not catch up")
    except BaseException:
        cluster.down()
        raise
    return cluster


def _describe(folder, chosen):
    """Writes down what other processes need to know of the cluster; the cluster."""
    state = os.open(folder.path / "state.json", os.O_CREAT | os.O_WRONLY, 0o600)
    with open(state, "w", encoding="utf-8") as file:
        json.dump({"run": os.getpid(), "password": secrets.token_hex(8), "patroni": chosen.description}, file)
    return Cluster(folder.path, folder)


def _prepare_node(cluster, node, chosen):
    """Its folder: what its programs are told, and room for their data."""
    name, user = f"n{node}", server_user()
    home, address = cluster.folder / name, cluster.network.address(name)
    peers = [cluster.network.address(f"n{peer}") for peer in NODES]
    for folder in (home, home / "etcd"):
        folder.mkdir(mode=0o700)
    etcd = ["etcd", "--name", name, "--data-dir", home / "etcd", f"--enable-v2={str(chosen.dcs == 'etcd').lower()}",
            "--listen-peer-urls", f"http://{address}:2380", "--initial-advertise-peer-urls", f"http://{address}:2380",
            "--listen-client-urls", f"http://{address}:2379", "--advertise-client-urls", f"http://{address}:2379",
            "--initial-cluster", ",".join(f"n{n}=http://{peer}:2380" for n, peer in zip(NODES, peers)),
            "--initial-cluster-state", "new", "--initial-cluster-token", "logwood"]
    (home / "patroni.yml").write_text(patroni.configuration(chosen, name, address, peers, home, cluster.password))
    environment = {"PATH": f"/usr/bin:/bin:{PROGRAMS}", "HOME": str(home), "LANG": "C.UTF-8",
                   "PYTHONPATH": chosen.path}
    (home / "node.json").write_text(json.dumps({
        "lock": str(cluster.folder / LOCK), "folder": str(home), "user": user["user"], "group": user["group"],
        "programs": [
            {"command": list(map(str, etcd)), "environment": environment, "log": str(home / "etcd.log")},
            {"command": [*chosen.command, str(home / "patroni.yml")], "environment": environment,
             "log": str(home / "patroni.log")}]}))
    for path in (home, *home.rglob("*")):
        shutil.chown(path, user["user"], user["group"])


def clusters():
    """The folders of the clusters that somebody keeps alive."""
    return [folder for folder in sorted(PARENT.glob(f"{KIND}-*-*")) if not is_abandoned(folder)]


def kept_clusters():
    """Those that `up` made. Others end with the command or the test that they were made for."""
    return [folder for folder in clusters() if (folder / KEPT).exists()]


def find():
    found = kept_clusters() or clusters()
    if len(found) != 1:
        raise ServerError("there is no cluster: cluster.py up" if not found
                          else f"there are {len(found)} clusters: {' '.join(map(str, found))}")
    return Cluster(found[0])


def remove_abandoned():
    """Removes what dead runs left: networks here, folders with the next RunFolder."""
    alive = {int(folder.name.removeprefix(f"{KIND}-").split("-")[0]) for folder in clusters()}
    return network.remove_abandoned(lambda run: run in alive)


# --- the program ----------------------------------------------------------------------------------

def run(cluster, command):
    with cluster.network.inside("client"):
        return run_command(command, cluster.variables())


def keep(cache):
    """Starts a process that keeps a cluster until it is told to end; returns when the cluster is there."""
    ready, tell = os.pipe()
    if os.fork() != 0:
        os.close(tell)
        return 0 if os.read(ready, 1) == b"+" else 1
    os.setsid()
    try:
        with start(cache) as cluster:
            (cluster.folder / KEPT).touch()
            print(cluster.status(), flush=True)
            os.write(tell, b"+")
            os.close(tell)
            nowhere = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(nowhere, stream)
            signal.pause()
    except Ended:
        pass
    return 0


def down():
    """Asks the keepers to end, waits for them, and removes what dead runs left."""
    for folder in kept_clusters():
        keeper = Cluster(folder).state["run"]
        with contextlib.suppress(ProcessLookupError):
            os.kill(keeper, signal.SIGTERM)
        _until(lambda: not folder.exists() or is_abandoned(folder), UP_LIMIT_S,
               lambda: f"process {keeper} does not end its cluster")
    remove_abandoned()
    RunFolder(KIND).remove()
    return 0


def show(text):
    print(text)


ON_A_CLUSTER = {
    "status": lambda cluster: show(cluster.status()),
    "leader": lambda cluster: show(cluster.leader()),
    "url": lambda cluster: show(cluster.url()),
    "owner-url": lambda cluster: show(cluster.url(OWNER)),
    "kill-postmaster": Cluster.kill_postmaster,
    "cut-replication": Cluster.cut_replication,
    "asynchronous": Cluster.set_asynchronous,
}
ON_A_NODE = {"kill-node": Cluster.kill_node, "start-node": Cluster.start_node, "isolate": Cluster.isolate,
             "heal": Cluster.heal, "restore-replication": Cluster.restore_replication}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    for name in ("run", "up", "down", "exec", *ON_A_CLUSTER, *ON_A_NODE):
        verb = verbs.add_parser(name)
        if name in ("run", "up"):
            verb.add_argument("--cache", type=pathlib.Path, default=CACHE, metavar="FOLDER")
        if name in ("run", "exec"):
            verb.add_argument("command", nargs="+", metavar="COMMAND")
        if name in ON_A_NODE:
            verb.add_argument("node", type=int, choices=NODES)
    return parser.parse_args()


def main():
    given = arguments()
    end_by_signals()
    try:
        if given.verb == "run":
            with start(given.cache) as cluster:
                return run(cluster, given.command)
        if given.verb == "up":
            return keep(given.cache)
        if given.verb == "down":
            return down()
        if given.verb == "exec":
            return run(find(), given.command)
        if given.verb in ON_A_CLUSTER:
            ON_A_CLUSTER[given.verb](find())
        else:
            ON_A_NODE[given.verb](find(), given.node)
        return 0
    except Ended as ended:
        return 128 + ended.number
    except (ServerError, OSError, subprocess.SubprocessError) as error:
        print(f"cluster.py: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
