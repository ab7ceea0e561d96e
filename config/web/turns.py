"""Turns: a process works on so many requests at once, the others wait in line, and not for long.

Without them a process that gets more than it can do begins everything and finishes nothing in time: all its work goes
to callers who have long gone, and who ask again. Who stands in line takes turns with whoever comes from elsewhere: one
who sends a crowd waits behind the own crowd.
"""

import socket
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum, auto
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

from gevent.event import Event
from gevent.monkey import get_original

from foundation.requests.addresses import network_of

__all__ = ["Crowd", "Outcome", "Turns"]

_poll = get_original("select", "poll")
_POLLRDHUP = 0x2000  # poll(2): the other side sends no more
_LINE = 50  # times as many wait as are worked on; who comes then is told at once
_IN_A_ROW = 3  # urgent ones, while others wait too: anybody can send what looks urgent
_SHARES = (
    4  # the part of the turns that one origin has while others have some: else each wait takes long
)


class Outcome(Enum):
    """What became of a wait for a turn."""

    TURN = auto()
    TOO_MANY = auto()
    LEFT = auto()


class _Waiting:
    def __init__(self, sock: socket.socket | None, origin: str) -> None:
        self.sock = sock  # None for one that has had a turn, and goes on in any case
        self.origin = origin
        self.called = Event()
        self.outcome = Outcome.TOO_MANY


class _Line:
    """Who waits, in the order of coming among those of one origin; the origins take turns."""

    def __init__(self) -> None:
        self._by_origin: OrderedDict[str, deque[_Waiting]] = OrderedDict()
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def join(self, one: _Waiting) -> None:
        own = self._by_origin.setdefault(one.origin, deque())
        if one.sock is None:
            own.insert(sum(1 for other in own if other.sock is None), one)
        else:
            own.append(one)
        self._length += 1

    def leave(self, one: _Waiting) -> None:
        self._by_origin[one.origin].remove(one)
        self._drop_if_empty(one.origin)

    def call(self, may: Callable[[str], bool]) -> _Waiting | None:
        """Take the first of the next origin that may; it is the last of the origins then."""
        origin = next(filter(may, self._by_origin), None)
        if origin is None:
            return None
        one = self._by_origin[origin].popleft()
        self._by_origin.move_to_end(origin)
        self._drop_if_empty(origin)
        return one

    def _drop_if_empty(self, origin: str) -> None:
        self._length -= 1
        if not self._by_origin[origin]:
            del self._by_origin[origin]


class Turns:
    """Hands out turns: three to what matches wait for, then one to the rest that waits; to each origin in turn."""

    def __init__(self, at_once: int, seconds: float) -> None:
        self._free = at_once
        self._share = max(1, at_once // _SHARES)
        self._held: Counter[str] = Counter()
        self._longest = _LINE * at_once
        self._seconds = seconds
        self._urgent = _Line()
        self._others = _Line()
        self._in_a_row = 0

    def take(self, sock: socket.socket, *, urgent: bool, origin: str) -> Outcome:
        """Wait for a turn. Whoever has left the connection meanwhile gets none."""
        if has_left(sock):
            return Outcome.LEFT
        if self._free > 0 and self._may(origin):
            self._hold(origin)
            return Outcome.TURN
        line = self._urgent if urgent else self._others
        if len(line) >= self._longest:
            return Outcome.TOO_MANY
        one = _Waiting(sock, origin)
        line.join(one)
        # Called in the very moment in which time was over, it has its turn and is not in line any more.
        if not one.called.wait(self._seconds) and not one.called.is_set():
            line.leave(one)
        return one.outcome

    def give_back(self, origin: str) -> None:
        """Give a turn back; it goes to the next in line who is still there."""
        self._free += 1
        self._held[origin] -= 1
        self._held = +self._held
        while self._free > 0 and (one := self._next()):
            one.outcome = Outcome.LEFT if one.sock and has_left(one.sock) else Outcome.TURN
            if one.outcome is Outcome.TURN:
                self._hold(one.origin)
            one.called.set()

    def _next(self) -> _Waiting | None:
        first, second = self._urgent, self._others
        if self._in_a_row >= _IN_A_ROW:
            first, second = second, first
        one = first.call(self._may)
        self._in_a_row = self._in_a_row + 1 if one and first is self._urgent else 0
        return one or second.call(self._may)

    def _hold(self, origin: str) -> None:
        self._free -= 1
        self._held[origin] += 1

    def _may(self, origin: str) -> bool:
        """Whether an origin may have another turn: beside others it has its share at most, alone all there are."""
        return self._held[origin] < self._share or len(self._held) == 1

    @contextmanager
    def between(self, origin: str, *, urgent: bool) -> Iterator[None]:
        """Let others work while the holder of a turn waits for its caller; afterwards it goes on when there is a turn.

        Nobody keeps it from being the next of its origin, and its own deadline is all that ends its wait.
        """
        self.give_back(origin)
        try:
            yield
        finally:
            if self._free > 0 and self._may(origin):
                self._hold(origin)
            else:
                one, line = _Waiting(None, origin), self._urgent if urgent else self._others
                line.join(one)
                try:
                    one.called.wait()
                finally:
                    # Whatever ends the wait, a turn is held afterwards, which is given back later.
                    if not one.called.is_set():
                        line.leave(one)
                        self._hold(origin)


def has_left(sock: socket.socket) -> bool:
    """Whether the other side has closed the connection. Whoever only ends sending counts as gone, as with nginx."""
    poll = _poll()
    poll.register(sock.fileno(), _POLLRDHUP)
    return bool(poll.poll(0))


class Crowd:
    """Counts connections by the address they come from, of IPv6 by the /64; a trusted proxy's are not counted."""

    def __init__(self, most: int, trusted: list[str]) -> None:
        self._most = most
        self._trusts_all = "*" in trusted
        self._trusted = [network for one in trusted if (network := _read_network(one))]
        self._open: dict[str, int] = {}

    @contextmanager
    def joined(self, address: str) -> Iterator[bool]:
        """Whether there is room for another connection from there; it counts as long as the block lasts."""
        network = network_of(address)
        is_trusted = self._trusts_all or (
            network is not None and any(ip_address(address) in one for one in self._trusted)
        )
        if not self._most or network is None or is_trusted:
            yield True
            return
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


def _read_network(text: str) -> IPv4Network | IPv6Network | None:
    try:
        return ip_network(text, strict=False)
    except ValueError:
        return None
