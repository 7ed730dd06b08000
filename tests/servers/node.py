"""Process 1 of a node of the cluster: starts etcd and Patroni, and is what the node lives by.

    node.py SPECIFICATION

It runs in a process namespace of its own. When it ends, the kernel kills every process of the node at
once, as a power cut would; and it ends when nobody holds the lock of the run any more. SPECIFICATION is
a JSON file: the lock, the user, and the programs with their arguments, environment and log.
"""
import fcntl
import json
import os
import subprocess
import sys
import threading


def end_with_the_run(lock):
    with open(lock, "rb") as held:
        fcntl.flock(held, fcntl.LOCK_SH)  # granted when the run is gone
        os._exit(0)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        told = json.load(file)
    threading.Thread(target=end_with_the_run, args=(told["lock"],), daemon=True).start()
    # A PostgreSQL that is killed leaves shared memory behind, which a machine that reboots would not.
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", "/dev/shm"], check=True)
    for program in told["programs"]:
        with open(program["log"], "ab") as log:
            subprocess.Popen(program["command"], env=program["environment"], cwd=told["folder"],
                             stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
                             user=told["user"], group=told["group"], extra_groups=[])
    while True:  # as process 1 it inherits every orphan, and Patroni would take a dead one for alive
        os.wait()


main()
