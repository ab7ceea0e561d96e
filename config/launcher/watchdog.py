"""Ends workers and beat that run and do nothing, so that they are started again.

After a broker has hung or restarted, a Celery worker may stop asking for work, or beat may stop sending it, without
ending. Each leaves signs of life: beat when it sends, a worker when it has done a task; beat sends each queue a
heartbeat every 2 s, so there is always work for everybody. Whose signs stay away while Valkey answers is ended; a
worker only while beat sends, for where nothing is sent nobody works.

Patience is counted in the time that the process had for itself (`config.launcher.process_time`): a machine that is busy
with others, on which loading a module takes a minute, is no reason to begin again from the start. Whoever has been
ended before and has left no sign since is given twice as long each time.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from config.launcher.children import Child
from config.launcher.console import say
from config.launcher.heartbeats import Heartbeats
from config.launcher.process_time import ProcessTime
from config.workers.task_queues import BEAT

__all__ = ["Watchdog"]

LOOK_EVERY = 1.0
PATIENCE = 8.0  # seconds of its own without a sign of life
GRACE = 30.0  # seconds of its own for one that has just been started
_LONGEST_GRACE = 960.0


@dataclass
class _Watched:
    """A process and what is known of it: whose clock, since when it lives, how long without a sign."""

    child: Child
    clock: ProcessTime | None = None
    lived: float = 0.0
    quiet: float = 0.0
    grace: float = field(default_factory=lambda: GRACE)

    def look(self) -> None:
        """Let its own time pass; begin anew where another process has taken its place."""
        process = self.child.process
        if process is None or process.returncode is not None:
            self.clock = None
        elif self.clock is None or self.clock.leader != process.pid:
            self.clock, self.lived, self.quiet = ProcessTime(process.pid), 0.0, 0.0
        else:
            passed = self.clock.passed()
            self.lived, self.quiet = self.lived + passed, self.quiet + passed

    def note_sign(self) -> None:
        """It lives and works."""
        self.quiet, self.grace = 0.0, GRACE

    def is_overdue(self) -> bool:
        """Whether it has had its time, and more."""
        return self.clock is not None and self.quiet > PATIENCE and self.lived > self.grace


@dataclass
class Watchdog:
    """Looks after the workers and beat of one site; idle where there are none."""

    signs: Heartbeats
    watched: list[_Watched] = field(default_factory=list)
    _looked_at: float = 0.0

    @classmethod
    def over(cls, children: Sequence[Child], signs: Heartbeats) -> "Watchdog":
        """Watch those of the processes that leave signs of life."""
        return cls(signs, [_Watched(child) for child in children if child.sign])

    def look(self) -> None:
        """End those that do nothing."""
        now = time.monotonic()
        if now < self._looked_at + LOOK_EVERY or not self.watched:
            return
        self._looked_at = now
        ages = self.signs.ages([one.child.sign for one in self.watched])
        for one in self.watched:
            one.look()
            # While Valkey does not answer, nobody can work: patience begins when it does.
            if ages is None:
                one.quiet = 0.0
            elif ages[one.child.sign] < PATIENCE:
                one.note_sign()
            elif one.child.sign != BEAT and ages.get(BEAT, 0.0) >= PATIENCE:
                one.quiet = 0.0
        for one in self.watched:
            child = one.child
            if not one.is_overdue():
                continue
            if child.at_once and self.signs.worker_is_busy(child.sign, child.at_once):
                one.quiet = 0.0  # at a long task, which has a limit of its own
                continue
            say(f"{child.name} does nothing; ending it.")
            child.kill()
            one.clock, one.grace = None, min(2 * one.grace, _LONGEST_GRACE)
