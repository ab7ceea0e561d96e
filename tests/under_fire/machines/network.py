"""Three machines on one: network namespaces, and a switch between them that can be told what to let through.

The switch takes frames off one end of each machine's cable and puts them on another's, as a program: kernels of
containers and small virtual machines often have neither a firewall nor a delay line. Needs root.
"""

import ctypes
import fcntl
import json
import socket
import struct
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress

__all__ = [
    "HOSTS",
    "WORLD",
    "Switch",
    "address_of",
    "device_of",
    "hardware_address",
    "inside",
    "network",
]

WORLD = "world"  # where players are: the namespace this program itself is in
HOSTS: Mapping[str, int] = {WORLD: 1, "data": 2, "web": 3, "work": 4}  # last number of the address
_PREFIX = "evm"
_SIOCETHTOOL = 0x8946
# What a network card would do for the kernel: sums of packets, and packets larger than the cable takes.
_OFFLOADS = (0x17, 0x19, 0x1F, 0x24)


def address_of(host: str) -> str:
    """Its address in the network of the trial."""
    return f"10.77.0.{HOSTS[host]}"


def inside(host: str) -> list[str]:
    """What to put before a command so that it runs on that machine."""
    return [] if host == WORLD else ["ip", "netns", "exec", f"{_PREFIX}-{host}"]


class Switch:
    """Carries frames between the machines, in a process of its own, so that our own work does not hold it up."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.under_fire.machines.switch"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, text=True)

    def let(
        self,
        *,
        blocked: Iterable[tuple[str, str]] = (),
        delayed: Mapping[tuple[str, str], float] | None = None,
    ) -> None:
        """From now on carry nothing where `blocked` (from, to), later by so many seconds where `delayed`."""
        words = {
            "blocked": list(blocked),
            "delayed": [[*way, seconds] for way, seconds in (delayed or {}).items()],
        }
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(words) + "\n")
        self._process.stdin.flush()

    def heal(self) -> None:
        """Carry everything at once."""
        self.let()

    def end(self) -> None:
        """Stop carrying."""
        self._process.kill()
        self._process.wait()


@contextmanager
def network() -> Iterator[None]:
    """Make the machines and their cables; gone after the block."""
    _remove()
    try:
        for host in HOSTS:
            _make(host)
        for host in HOSTS:
            for other in HOSTS:
                if other != host:
                    _run(
                        *inside(host), "ip", "neigh", "replace", address_of(other), "lladdr",
                        _words(hardware_address(other)), "dev", _inner(host), "nud", "permanent",
                    )  # fmt: skip
        yield
    finally:
        _remove()


def _make(host: str) -> None:
    inner, outer = _inner(host), device_of(host)
    _run("ip", "link", "add", outer, "type", "veth", "peer", "name", inner)
    _run("ip", "link", "set", inner, "address", _words(hardware_address(host)))
    for device in (inner, outer):
        _leave_packets_whole(device)
    if host != WORLD:
        _run("ip", "netns", "add", f"{_PREFIX}-{host}")
        _run("ip", "link", "set", inner, "netns", f"{_PREFIX}-{host}")
        _run(*inside(host), "ip", "link", "set", "lo", "up")
    _run("ip", "link", "set", outer, "up")
    _run(*inside(host), "ip", "address", "add", f"{address_of(host)}/24", "dev", inner)
    _run(*inside(host), "ip", "link", "set", inner, "up")


def _remove() -> None:
    for host in HOSTS:
        _run("ip", "link", "delete", device_of(host), must=False)
        if host != WORLD:
            _run("ip", "netns", "delete", f"{_PREFIX}-{host}", must=False)


def device_of(host: str) -> str:
    """The end of a machine's cable that is in the switch."""
    return f"{_PREFIX}-{host}"


def _inner(host: str) -> str:
    return f"{_PREFIX}-{host}-in"


def hardware_address(host: str) -> bytes:
    """Of the other end."""
    return bytes([2, 0x45, 0x4D, 0, 0, HOSTS[host]])


def _words(address: bytes) -> str:
    return ":".join(f"{part:02x}" for part in address)


def _run(*command: str, must: bool = True) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if must and done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")


def _leave_packets_whole(device: str) -> None:
    """Have the kernel make packets as they go over a cable: whole, with their sums, none too long."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        for offload in _OFFLOADS:
            value = ctypes.create_string_buffer(struct.pack("II", offload, 0))
            request = struct.pack("16sP", device.encode(), ctypes.addressof(value))
            with suppress(OSError):  # this kernel has no such
                fcntl.ioctl(any_socket, _SIOCETHTOOL, request)
