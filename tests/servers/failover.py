#!/usr/bin/env python3
"""Failovers under load: what was acknowledged is there, once, whoever leads.

    failover.py LOAD [--rounds N] [--kind KIND]... [--prepare COMMAND] [--cache FOLDER] [--logs FOLDER]

Each round lets clients append to a cluster, takes its leader away, waits for the next one, brings the
old one back, and compares what clients were told with what is stored. The ways to lose a leader:

    kill-postmaster   kill -9 of the server process; mostly the same node leads again
    kill-node         every process of the node ends at once
    partition         the node runs on and is not reached; a client beside it must get no acknowledgement
    cut-and-kill      its replication is cut, then the node is killed: what it acknowledged alone is lost

Last comes the control: cut-and-kill with asynchronous replication. It must lose entries, or the
comparison could not see a loss. LOAD is a program:

    LOAD append URL --clients N --seconds S --log FILE
        appends until S seconds have passed or SIGTERM comes, and finishes what is in flight. FILE gets a
        line for each acknowledged entry, at once; standard output a JSON object with acked,
        unknownResolved, longestWaitMs and failed.
    LOAD verify URL --log FILE
        compares: a JSON object with acked, lost, twice and chainsBroken. Exits 1 if one of the last
        three is not 0.

COMMAND, for the shell, makes the store; it finds the URLs in the variables that cluster.py sets.
With LOGWOOD_BUDGET_S it is one round, a partition, and the control. Exits 1 when a promise is broken.
"""
import argparse
import collections
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import cluster as clusters
from processes import Ended, end_by_signals, start_bound
from server import ServerError

KILL_POSTMASTER, KILL_NODE, PARTITION, CUT_AND_KILL = "kill-postmaster", "kill-node", "partition", "cut-and-kill"
KINDS = (KILL_NODE, PARTITION, KILL_POSTMASTER)
CLIENTS = 8
APPENDING_S = 4  # before the leader is lost
CUT_S = 1.5  # of acknowledgements that no standby hears of
ALONE_S = 5  # how long the next leader works without the old one
TOGETHER_S = 8  # and then with it: a leader that comes back and takes the lead again would do so here
LEADER_LIMIT_S = 90
MINORITY_LIMIT_S = 10
END_LIMIT_S = 60
VERIFY_LIMIT_S = 600
LONGEST_ROUND_S = 600


class BrokenPromise(Exception):
    """What was seen and must not be."""


class Load:
    """The program that appends and verifies, run on the machines of a cluster."""

    def __init__(self, program, cluster):
        self.program = program
        self.cluster = cluster

    def append(self, log, *, machine="client", url=None, clients=CLIENTS):
        command = [self.program, "append", url or self.cluster.url(), "--clients", str(clients),
                   "--seconds", str(LONGEST_ROUND_S), "--log", str(log)]
        log.touch()
        with self.cluster.network.inside(machine):
            return start_bound(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)

    def verify(self, log):
        command = [self.program, "verify", self.cluster.url(), "--log", str(log)]
        with self.cluster.network.inside("client"):
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=VERIFY_LIMIT_S)
        found = last_object(done.stdout)
        if found is None:
            raise BrokenPromise(f"verify says nothing and exits with {done.returncode}: {done.stderr.strip()}")
        whole = found["lost"] == found["twice"] == found["chainsBroken"] == 0
        if whole != (done.returncode == 0):
            raise BrokenPromise(f"verify exits with {done.returncode} and finds {found}: {done.stderr.strip()}")
        return found


def last_object(text):
    """The JSON object in the last line, if there is one."""
    lines = text.strip().splitlines()
    try:
        return json.loads(lines[-1]) if lines else None
    except json.JSONDecodeError:
        return None


def end(appending, limit_s=END_LIMIT_S):
    """Stops clients and gives their totals; nothing if they had to be killed or did not give any."""
    appending.send_signal(signal.SIGTERM)
    try:
        printed, _ = appending.communicate(timeout=limit_s)
    except subprocess.TimeoutExpired:
        appending.kill()
        printed, _ = appending.communicate()
        return None
    return last_object(printed)


def lines_in(path):
    with open(path, "rb") as file:
        return sum(1 for _ in file)


class Round:
    """One loss of a leader, and what clients saw of it."""

    def __init__(self, cluster, load, kind, log, *, synchronous=True):
        self.cluster, self.load, self.kind, self.log, self.synchronous = cluster, load, kind, log, synchronous
        self.minority_log = log.with_suffix(".minority")
        self.acknowledged_by_minority = 0
        self.appending = self.minority = None

    def play(self):
        try:
            self._play()
        finally:
            for process in (self.appending, self.minority):
                if process and process.poll() is None:
                    process.kill()
                    process.wait()

    def _play(self):
        if self.synchronous:
            self.cluster.wait_healthy()
        self.old = self.cluster.wait_leader(LEADER_LIMIT_S)
        self.appending = self.load.append(self.log)
        time.sleep(APPENDING_S)
        acknowledged_before = lines_in(self.log)
        lost_at = time.monotonic()
        self._lose_leader()
        self.new = self.cluster.wait_leader(
            LEADER_LIMIT_S, other_than=None if self.kind == KILL_POSTMASTER else self.old)
        self.leaderless_s = time.monotonic() - lost_at
        time.sleep(ALONE_S)
        self._bring_back()
        time.sleep(TOGETHER_S)
        self.totals = end(self.appending)
        if self.synchronous:
            self.cluster.wait_healthy()
        self.found = self.load.verify(self.log)
        self._judge(acknowledged_before)

    def _lose_leader(self):
        if self.kind == KILL_POSTMASTER:
            self.cluster.kill_postmaster()
        elif self.kind == KILL_NODE:
            self.cluster.kill_node(self.old)
        elif self.kind == CUT_AND_KILL:
            self.cluster.cut_replication()
            time.sleep(CUT_S)
            self.cluster.kill_node(self.old)
        else:
            self.cluster.isolate(self.old)
            self.minority = self.load.append(self.minority_log, machine=f"n{self.old}", clients=1,
                                             url=self.cluster.url(node=self.old))
            # The client waits for an acknowledgement; one that never asked would prove nothing.
            self.cluster.wait_until_a_commit_waits(self.old, MINORITY_LIMIT_S)

    def _bring_back(self):
        if self.kind == KILL_NODE or (self.kind == CUT_AND_KILL and self.synchronous):
            self.cluster.restore_replication(self.old)
            self.cluster.start_node(self.old)
        elif self.kind == PARTITION:
            # Before it is reached again, for then it might be the leader by right.
            end(self.minority, limit_s=10)
            self.acknowledged_by_minority = lines_in(self.minority_log)
            self.cluster.heal(self.old)

    def _judge(self, acknowledged_before):
        logged = lines_in(self.log)
        if acknowledged_before == 0:
            raise BrokenPromise(f"nothing was acknowledged in the {APPENDING_S} s before the leader was lost")
        if not self.synchronous:
            return
        if self.totals is None:
            raise BrokenPromise(f"the clients did not end within {END_LIMIT_S} s, or say nothing")
        if self.totals["failed"]:
            raise BrokenPromise(f"clients gave up: {self.totals}")
        if not self.totals["acked"] == self.found["acked"] == logged:
            raise BrokenPromise(f"{self.totals['acked']} acknowledged, {logged} logged, {self.found['acked']} verified")
        if logged == acknowledged_before:
            raise BrokenPromise("nothing was acknowledged after the leader was lost")
        if self.found["lost"] or self.found["twice"] or self.found["chainsBroken"]:
            raise BrokenPromise(f"verify finds {self.found}")
        if self.acknowledged_by_minority:
            raise BrokenPromise(f"the isolated leader acknowledged {self.acknowledged_by_minority} entries")

    def __str__(self):
        return (f"{self.kind} of n{self.old}, n{self.new} leads after {self.leaderless_s:.1f} s, "
                f"clients waited {self.totals['longestWaitMs'] / 1000:.1f} s; "
                f"{self.totals['acked']} acknowledged, {self.found['lost']} lost, {self.found['twice']} twice, "
                f"{self.totals['unknownResolved']} unknown resolved")


def campaign(cluster, load, kinds, logs):
    """The figure. Raises at the first broken promise."""
    rounds = []
    for number, kind in enumerate(kinds, 1):
        one = Round(cluster, load, kind, logs / f"round{number}.log")
        try:
            one.play()
        except (BrokenPromise, ServerError) as problem:
            raise BrokenPromise(f"round {number}, {kind}: {problem}") from problem
        print(f"round {number}: {one}", flush=True)
        rounds.append(one)
    # A later failover could lose what an earlier one had kept.
    everything = logs / "everything.log"
    with open(everything, "wb") as joined:
        for one in rounds:
            joined.write(one.log.read_bytes())
    found = load.verify(everything)
    if found["lost"] or found["twice"] or found["chainsBroken"]:
        raise BrokenPromise(f"after all rounds verify finds {found}")
    counted = ", ".join(f"{count} {kind}" for kind, count in collections.Counter(kinds).items())
    return (f"{len(rounds)} failovers ({counted}), {found['acked']} entries acknowledged, 0 lost, 0 twice, "
            f"0 chains broken, {sum(one.totals['unknownResolved'] for one in rounds)} unknown outcomes resolved, "
            f"longest wait {max(one.totals['longestWaitMs'] for one in rounds) / 1000:.1f} s, "
            f"0 acknowledged by an isolated leader")


def control(cluster, load, logs):
    """How many entries are lost when nobody waits for a standby."""
    cluster.wait_healthy()
    cluster.set_asynchronous()
    one = Round(cluster, load, CUT_AND_KILL, logs / "control.log", synchronous=False)
    one.play()
    print(f"control: {CUT_AND_KILL} of n{one.old}, asynchronous: {one.found['acked']} acknowledged, "
          f"{one.found['lost']} lost", flush=True)
    if one.found["lost"] == 0:
        raise BrokenPromise("the asynchronous control loses nothing: the comparison is blind")
    return one.found["lost"]


def keep_logs(cluster, folder):
    """What the servers said, for whoever has to find out why."""
    for log in cluster.folder.glob("n*/*.log"):
        shutil.copy(log, folder / f"{log.parent.name}.{log.name}")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("load", type=pathlib.Path)
    short = bool(os.environ.get("LOGWOOD_BUDGET_S"))
    parser.add_argument("--rounds", type=int, default=1 if short else 30)
    parser.add_argument("--kind", action="append", choices=[*KINDS, CUT_AND_KILL])
    parser.add_argument("--prepare", metavar="COMMAND")
    parser.add_argument("--cache", type=pathlib.Path, default=clusters.CACHE)
    parser.add_argument("--logs", type=pathlib.Path, help="where the logs of a run that fails are kept")
    given = parser.parse_args()
    given.kinds = given.kind or ((PARTITION,) if short else KINDS)
    return given


def prove(given, logs):
    with clusters.start(given.cache) as cluster:
        try:
            if given.prepare and clusters.run(cluster, ["sh", "-c", given.prepare]) != 0:
                raise ServerError(f"this did not make a store: {given.prepare}")
            load = Load(given.load.resolve(), cluster)
            kinds = [given.kinds[number % len(given.kinds)] for number in range(given.rounds)]
            figure = campaign(cluster, load, kinds, logs)
            lost = control(cluster, load, logs)
        except BaseException:
            keep_logs(cluster, logs)
            raise
        print(f"failover: {figure}; the asynchronous control lost {lost}; "
              f"{cluster.state['patroni']}")


def main():
    given = arguments()
    end_by_signals()
    logs = given.logs or pathlib.Path(tempfile.mkdtemp(prefix="logwood-failover-"))
    logs.mkdir(parents=True, exist_ok=True)
    try:
        prove(given, logs)
    except Ended as ended:
        return 128 + ended.number
    except (BrokenPromise, ServerError, OSError, subprocess.SubprocessError) as problem:
        print(f"failover: {problem}; the logs are in {logs}")
        return 1
    if not given.logs:
        shutil.rmtree(logs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
