"""How much time a process has had for itself: patience with it is counted in this, not by the clock on the wall.

On a busy machine a process that gets a tenth of a processor is as far after ten minutes as another after one. Linux
says of each process how long it computed, and how long it stood ready while others were served. One that asks for
nothing has all time for itself, and is judged by it: it hangs, or it has stopped.
"""

import os
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from config.embedded.processes import running

__all__ = ["ProcessTime", "session_of"]

# Who computes, or would like to, for less than this part of the time, has nothing to do.
_AT_REST = 0.05
# Even one that the machine starves uses up a patience at last.
_AT_LEAST = 0.1
_TICKS = os.sysconf("SC_CLK_TCK")
# Fields of proc_pid_stat(5) behind the name, which may hold spaces.
_AT_WORK = ("R", "D")  # running or ready to, and held up by a disk
_STATE, _SESSION, _USER, _SYSTEM = 0, 3, 11, 12


@dataclass(frozen=True, slots=True)
class _Use:
    """What one process has used up to now: seconds of processors, and of waiting for one; whether it asks for more.

    The kernel adds to what was waited only when the wait is over: one that waits now is known by its state.
    """

    computed: float
    waited: float
    asks: bool


@dataclass
class ProcessTime:
    """A clock for one process and all that it started in its session, or for that process alone."""

    leader: int
    alone: bool = False
    _at: float = field(default_factory=time.monotonic)
    _seen: dict[int, _Use] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._seen = self._uses()

    def passed(self) -> float:
        """Seconds that the process had for itself since the last time somebody asked."""
        now, seen = time.monotonic(), self._uses()
        wall, before = now - self._at, self._seen
        self._at, self._seen = now, seen
        none = _Use(0.0, 0.0, asks=False)
        computed = sum(
            max(0.0, use.computed - before.get(pid, none).computed) for pid, use in seen.items()
        )
        waited = max(
            (use.waited - before.get(pid, none).waited for pid, use in seen.items()), default=0.0
        )
        at_work = computed + waited >= _AT_REST * wall or any(use.asks for use in seen.values())
        return min(wall, max(computed, _AT_LEAST * wall)) if at_work else wall

    def _uses(self) -> dict[int, _Use]:
        return dict(_uses([self.leader]) if self.alone else _uses(running(), self.leader))


def session_of(leader: int) -> list[int]:
    """The processes of a session: its leader and all that descend from it and have made no session of their own."""
    return [pid for pid, _ in _uses(running(), leader)]


def _uses(pids: Iterable[int], session: int | None = None) -> Iterator[tuple[int, _Use]]:
    for pid in pids:
        with suppress(OSError, ValueError, IndexError):  # it has just ended
            facts = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
            words = facts.rpartition(")")[2].split()
            if session in {None, int(words[_SESSION])}:
                computed = (int(words[_USER]) + int(words[_SYSTEM])) / _TICKS
                waited = 0.0
                with suppress(OSError, ValueError, IndexError):  # this kernel does not count
                    counts = Path(f"/proc/{pid}/schedstat").read_text(encoding="ascii")
                    waited = int(counts.split()[1]) / 1e9
                yield pid, _Use(computed, waited, asks=words[_STATE] in _AT_WORK)
