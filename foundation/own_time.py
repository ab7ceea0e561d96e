"""How long something takes by the clock that takes a process so many seconds of its own.

Limits that are there for processes which have stopped must not strike those that merely wait for a processor. Linux
says how long this one has computed, and how long it stood ready while others were served.
"""

import time
from collections import deque
from contextlib import suppress
from pathlib import Path

__all__ = ["by_the_clock"]

_SAID_BY_LINUX = Path("/proc/self/schedstat")
_LOOKS_BACK = 10.0  # seconds
_EVERY = 1.0
_AT_MOST = 10.0  # times as long: who has stopped must be found out at last
_seen: deque[tuple[float, float, float]] = deque()  # when, seconds computed, seconds waited


def by_the_clock(seconds: float) -> int:
    """So many seconds of this process, in whole seconds of the clock, by what the last ten seconds were like."""
    computed, waited = 0.0, 0.0
    with suppress(OSError, ValueError, IndexError):  # this kernel does not count
        first, second = _SAID_BY_LINUX.read_text(encoding="ascii").split()[:2]
        computed, waited = int(first) / 1e9, int(second) / 1e9
    now = time.monotonic()
    while len(_seen) > 1 and _seen[1][0] < now - _LOOKS_BACK:
        _seen.popleft()
    if not _seen or now >= _seen[-1][0] + _EVERY:
        _seen.append((now, computed, waited))
    since_computed, since_waited = computed - _seen[0][1], waited - _seen[0][2]
    slower = 1 + since_waited / since_computed if since_computed > 0 else 1.0
    return round(seconds * min(_AT_MOST, max(1.0, slower)))
