"""Ends workers and beat that run and do nothing, so that they are started again.

After a broker has hung or restarted, a Celery worker may stop asking for work, or beat may stop sending it, without
ending. Beat sends a heartbeat through each queue every 2 s. A queue whose heartbeats stay away while Valkey answers
tells which it is: if messages wait in it, its worker does not take them; if none wait, beat sends none.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from config.launcher.children import Child
from config.launcher.screen import say
from config.launcher.signs import Signs

__all__ = ["Watchdog"]

LOOK_EVERY = 1.0
PATIENCE = 8.0  # seconds without a heartbeat
# One that has just been started is given the time to begin, also on a busy machine.
GRACE = 30.0


@dataclass
class Watchdog:
    """Looks after the workers and beat of one site; idle where there are none."""

    signs: Signs
    workers: dict[str, Child] = field(default_factory=dict)
    beat: Child | None = None
    _looked_at: float = 0.0
    _well_at: dict[str, float] = field(default_factory=dict)

    @classmethod
    def over(cls, children: Sequence[Child], signs: Signs) -> "Watchdog":
        """Watch those of the processes that serve a queue or send to them."""
        workers = {child.serves: child for child in children if child.serves}
        beat = next((child for child in children if child.name == "Beat"), None)
        return cls(signs, workers, beat)

    def look(self) -> None:
        """End the one that does nothing, if there is one."""
        now = time.monotonic()
        if now < self._looked_at + LOOK_EVERY or self.beat is None:
            return
        self._looked_at = now
        ages = self.signs.heartbeat_ages()
        for queue in self.workers:
            # While Valkey does not answer, nobody can work: patience begins when it does.
            if ages is None or ages[queue] < PATIENCE:
                self._well_at[queue] = now
        for queue in self.workers:
            if now > self._well_at.setdefault(queue, now) + PATIENCE and self._end_culprit(queue):
                return

    def _end_culprit(self, queue: str) -> bool:
        """End who keeps the heartbeats of this queue away; says whether somebody was."""
        culprit = self.workers[queue] if self.signs.work_waits(queue) else self.beat
        if culprit is None or time.monotonic() < culprit.starts[-1] + GRACE:
            return False
        if culprit is not self.beat and self.signs.worker_is_busy(queue):
            return False
        say(f"{culprit.name} does nothing; ending it.")
        culprit.kill()
        self._well_at.clear()
        return True
