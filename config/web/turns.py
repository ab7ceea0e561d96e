"""Turns: a process works on so many requests at once, the others wait in line, and not for long.

Without them a process that gets more than it can do begins everything and finishes nothing in time: all its work goes
to callers who have long gone, and who ask again.
"""

import socket
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum, auto
from ipaddress import ip_address, ip_network

from gevent.event import Event
from gevent.monkey import get_original

__all__ = ["Crowd", "Outcome", "Turns", "has_left"]

_poll = get_original("select", "poll")
_POLLRDHUP = 0x2000  # poll(2): the other side sends no more
_LINE = 50  # times as many wait as are worked on; who comes then is told at once


class Outcome(Enum):
    """What became of a wait for a turn."""

    TURN = auto()
    TOO_MANY = auto()
    LEFT = auto()


class _Waiting:
    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.called = Event()
        self.outcome = Outcome.TOO_MANY


class Turns:
    """Hands out turns: first to those that come first, within what matches wait for and then within the rest."""

    def __init__(self, at_once: int, seconds: float) -> None:
        self._free = at_once
        self._longest = _LINE * at_once
        self._seconds = seconds
        self._urgent: deque[_Waiting] = deque()
        self._others: deque[_Waiting] = deque()

    def take(self, sock: socket.socket, *, urgent: bool) -> Outcome:
        """Wait for a turn. Whoever has left the connection meanwhile gets none."""
        if has_left(sock):
            return Outcome.LEFT
        if self._free > 0:
            self._free -= 1
            return Outcome.TURN
        line = self._urgent if urgent else self._others
        if len(line) >= self._longest:
            return Outcome.TOO_MANY
        one = _Waiting(sock)
        line.append(one)
        # Called in the very moment in which time was over, it has its turn and is not in line any more.
        if not one.called.wait(self._seconds) and not one.called.is_set():
            line.remove(one)
        return one.outcome

    def give_back(self) -> None:
        """Give a turn back; it goes to the next in line who is still there."""
        self._free += 1
        while self._free > 0 and (line := self._urgent or self._others):
            one = line.popleft()
            one.outcome = Outcome.LEFT if has_left(one.sock) else Outcome.TURN
            if one.outcome is Outcome.TURN:
                self._free -= 1
            one.called.set()

    @contextmanager
    def between(self) -> Iterator[None]:
        """Let others work while the holder of a turn waits for its caller; afterwards it goes on at once."""
        self.give_back()
        try:
            yield
        finally:
            self._free -= 1


def has_left(sock: socket.socket) -> bool:
    """Whether the other side has closed the connection. Whoever only ends sending counts as gone, as with nginx."""
    poll = _poll()
    poll.register(sock.fileno(), _POLLRDHUP)
    return bool(poll.poll(0))


class Crowd:
    """Counts connections by the address they come from, of IPv6 by the /64; a trusted proxy's are not counted."""

    def __init__(self, most: int, trusted: list[str]) -> None:
        self._most = most
        self._trusted = trusted
        self._open: dict[str, int] = {}

    @contextmanager
    def joined(self, address: str) -> Iterator[bool]:
        """Whether there is room for another connection from there; it counts as long as the block lasts."""
        if not self._most or not address or "*" in self._trusted or address in self._trusted:
            yield True
            return
        network = _network(address)
        here = self._open.get(network, 0)
        if here >= self._most:
            yield False
            return
        self._open[network] = here + 1
        try:
            yield True
        finally:
            self._open[network] -= 1
            if not self._open[network]:
                del self._open[network]


def _network(text: str) -> str:
    try:
        address = ip_address(text)
    except ValueError:
        return text
    return text if address.version == 4 else str(ip_network((address, 64), strict=False))
