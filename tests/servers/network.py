"""A network of machines that is not on any machine's network: namespaces around a bridge.

Each machine of the network is a namespace of the kernel with one interface; a further one, the hub,
holds the bridge that joins them. Nothing is added to the network of the host. Needs root.

Namespaces outlive the process that made them. Their names carry its process id, so that runs do not
meet and what a dead one left can be told.
"""
import contextlib
import ctypes
import os
import re
import subprocess

NAMES = "/run/netns"
SUBNET = "10.77.0"
HUB = "hub"

_CLONE_NEWNET = 0x40000000
_libc = ctypes.CDLL(None, use_errno=True)


def ip(*words):
    subprocess.run(["ip", *words], check=True, capture_output=True)


class Network:
    """The network of the run whose process id is given. `machines` maps names to the last part of addresses."""

    def __init__(self, run, machines):
        self.run = run
        self.machines = machines

    def namespace(self, machine):
        return f"logwood-{self.run}-{machine}"

    def address(self, machine):
        return f"{SUBNET}.{self.machines[machine]}"

    def make(self):
        hub = self.namespace(HUB)
        ip("netns", "add", hub)
        ip("-n", hub, "link", "add", "bridge", "type", "bridge")
        ip("-n", hub, "link", "set", "bridge", "up")
        for machine in self.machines:
            inside = self.namespace(machine)
            ip("netns", "add", inside)
            ip("-n", inside, "link", "set", "lo", "up")
            ip("-n", hub, "link", "add", machine, "type", "veth", "peer", "name", "eth0", "netns", inside)
            ip("-n", hub, "link", "set", machine, "master", "bridge", "up")
            ip("-n", inside, "address", "add", f"{self.address(machine)}/24", "dev", "eth0")
            ip("-n", inside, "link", "set", "eth0", "up")

    def remove(self):
        for machine in (*self.machines, HUB):
            subprocess.run(["ip", "netns", "delete", self.namespace(machine)], check=False, capture_output=True)

    def isolate(self, machine):
        """Pulls the plug: no packet gets in or out. The machine can still talk to itself."""
        ip("-n", self.namespace(HUB), "link", "set", machine, "down")

    def heal(self, machine):
        ip("-n", self.namespace(HUB), "link", "set", machine, "up")

    def drop_from_port(self, machine, port, others):
        """Loses what the machine sends from a TCP port to the others; everything else still arrives."""
        with self.inside(machine):
            for other in others:
                subprocess.run(["iptables", "-A", "OUTPUT", "-p", "tcp", "--sport", str(port),
                                "-d", self.address(other), "-j", "DROP"], check=True, capture_output=True)

    def drop_nothing(self, machine):
        with self.inside(machine):
            subprocess.run(["iptables", "-F", "OUTPUT"], check=True, capture_output=True)

    @contextlib.contextmanager
    def inside(self, machine):
        """Sockets that this thread opens meanwhile, and processes that it starts, are on the machine."""
        here = os.open("/proc/thread-self/ns/net", os.O_RDONLY | os.O_CLOEXEC)
        there = os.open(f"{NAMES}/{self.namespace(machine)}", os.O_RDONLY | os.O_CLOEXEC)
        try:
            _enter(there)
            try:
                yield
            finally:
                _enter(here)
        finally:
            os.close(there)
            os.close(here)


def _enter(namespace):
    if _libc.setns(namespace, _CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), "setns")


def remove_abandoned(alive):
    """Removes the networks of runs for which `alive(run)` is false; how many there were."""
    try:
        names = os.listdir(NAMES)
    except FileNotFoundError:
        return 0  # no network was ever made here
    gone = set()
    for name in names:
        ours = re.fullmatch(r"logwood-(\d+)-\w+", name)
        if ours and not alive(int(ours[1])):
            subprocess.run(["ip", "netns", "delete", name], check=False, capture_output=True)
            gone.add(ours[1])
    return len(gone)
