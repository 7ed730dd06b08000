#!/usr/bin/env python3
"""What processes are told has one order that explains it, also when leaders are lost meanwhile.

    histories.py PROGRAM [--failovers N] [--histories N] [--cache FOLDER]

PROGRAM (programs/linearizable) records and checks histories on a cluster until it is told to end. In
the meantime the leader is lost again and again, in the ways of failover.py. With LOGWOOD_BUDGET_S it is
one failover. Exits 1 when a history has no order, or when there were fewer of them than N.
"""
import argparse
import itertools
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

import cluster as clusters
from failover import ALONE_S, KILL_NODE, KILL_POSTMASTER, KINDS, LEADER_LIMIT_S, PARTITION, keep_logs
from processes import Ended, end_by_signals, start_bound
from server import ServerError

BEFORE_S = 4  # of histories, between one failover and the next
END_LIMIT_S = 120  # for the history at hand, and for checking it


def lose_a_leader(cluster, kind):
    """Returns how long there was none."""
    cluster.wait_healthy()
    time.sleep(BEFORE_S)
    old = cluster.wait_leader(LEADER_LIMIT_S)
    began = time.monotonic()
    if kind == KILL_POSTMASTER:
        cluster.kill_postmaster()
    elif kind == KILL_NODE:
        cluster.kill_node(old)
    else:
        cluster.isolate(old)
    cluster.wait_leader(LEADER_LIMIT_S, other_than=None if kind == KILL_POSTMASTER else old)
    leaderless_s = time.monotonic() - began
    time.sleep(ALONE_S)
    if kind == KILL_NODE:
        cluster.start_node(old)
    elif kind == PARTITION:
        cluster.heal(old)
    return leaderless_s


def prove(given):
    with clusters.start(given.cache) as cluster:
        try:
            record(cluster, given)
        except BaseException:
            logs = pathlib.Path(tempfile.mkdtemp(prefix="logwood-histories-"))
            keep_logs(cluster, logs)
            print(f"the logs are in {logs}")
            raise


def record(cluster, given):
    # It is told when to end.
    environment = os.environ | cluster.variables() | {"LOGWOOD_BUDGET_S": "100000"}
    with cluster.network.inside("client"):
        program = start_bound([given.program.resolve()], env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, text=True)
    failovers = 0
    for kind in itertools.islice(itertools.cycle(KINDS), given.failovers):
        if program.poll() is not None:
            break
        leaderless_s = lose_a_leader(cluster, kind)
        failovers += 1
        print(f"failover {failovers}: {kind}, no leader for {leaderless_s:.1f} s", flush=True)
    time.sleep(BEFORE_S)
    program.send_signal(signal.SIGTERM)
    printed, _ = program.communicate(timeout=END_LIMIT_S)
    lines = printed.strip().splitlines() or ["it says nothing"]
    counted = re.match(r"linearizable: (\d+) of \1 histories", lines[-1])
    if program.returncode or not counted:
        print(printed)
        raise ServerError(f"after {failovers} failovers: {lines[-1]}")
    if int(counted[1]) < given.histories:
        raise ServerError(f"{counted[1]} histories, and {given.histories} were wanted")
    print(f"{lines[-1]}; over {failovers} failovers; {cluster.state['patroni']}")


def main():
    short = bool(os.environ.get("LOGWOOD_BUDGET_S"))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--failovers", type=int, default=1 if short else 9)
    parser.add_argument("--histories", type=int, default=10 if short else 200)
    parser.add_argument("--cache", type=pathlib.Path, default=clusters.CACHE)
    given = parser.parse_args()
    end_by_signals()
    try:
        prove(given)
    except Ended as ended:
        return 128 + ended.number
    except (ServerError, OSError, subprocess.SubprocessError) as problem:
        print(f"histories: {problem}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
