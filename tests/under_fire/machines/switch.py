"""The switch between the machines, told on standard input what to let through: a line of JSON each time."""

import heapq
import json
import select
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import suppress

from tests.under_fire.machines.network import HOSTS, device_of, hardware_address

_LONGEST_FRAME = 65_536
_OUTGOING = 4  # as packet(7) marks frames that we have put there ourselves
_ALL_PROTOCOLS = 3


def main() -> None:
    """Carry until standard input closes."""
    ends = {host: _socket_on(device_of(host)) for host in HOSTS}
    host_at = {end.fileno(): host for host, end in ends.items()}
    host_of = {hardware_address(host): host for host in HOSTS}
    blocked: set[tuple[str, str]] = set()
    delayed: dict[tuple[str, str], float] = {}
    late: list[tuple[float, int, str, bytes]] = []  # due, number, to, frame
    number, told = 0, sys.stdin.fileno()
    while True:
        patience = max(0.0, late[0][0] - time.monotonic()) if late else None
        ready, _, _ = select.select([*host_at, told], [], [], patience)
        if told in ready:
            line = sys.stdin.readline()
            if not line:
                return
            words = json.loads(line)
            blocked = {(a, b) for a, b in words["blocked"]}
            delayed = {(a, b): seconds for a, b, seconds in words["delayed"]}
        for handle in ready:
            if handle == told:
                continue
            host = host_at[handle]
            for frame in _frames(ends[host]):
                to = host_of.get(frame[:6])
                if to is None or (host, to) in blocked:
                    continue
                if seconds := delayed.get((host, to)):
                    number += 1
                    heapq.heappush(late, (time.monotonic() + seconds, number, to, frame))
                else:
                    _put(ends[to], frame)
        while late and late[0][0] <= time.monotonic():
            _, _, to, frame = heapq.heappop(late)
            _put(ends[to], frame)


def _socket_on(device: str) -> socket.socket:
    made = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(_ALL_PROTOCOLS))
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8_000_000)
    made.bind((device, 0))
    made.setblocking(False)
    return made


def _frames(end: socket.socket) -> Iterator[bytes]:
    """What has arrived; after some hundred it is the others' turn."""
    for _ in range(200):
        try:
            frame, (_device, _protocol, kind, *_rest) = end.recvfrom(_LONGEST_FRAME)
        except OSError:
            return
        if kind != _OUTGOING:
            yield frame


def _put(end: socket.socket, frame: bytes) -> None:
    with suppress(OSError):  # a full cable loses frames, as cables do
        end.send(frame)


if __name__ == "__main__":
    main()
