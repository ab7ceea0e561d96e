"""Heartbeats of a web process: gunicorn ends one whose last heartbeat is older than `timeout`.

Its age is counted in the time that the process had for itself since (config.launcher.process_time). One that was
stopped is found out as soon as `timeout` says, and one that the machine starves is waited for: to begin again would
only add load.
"""

import time
from typing import Any

from gunicorn.workers.workertmp import WorkerTmp

from config.launcher.process_time import ProcessTime

__all__ = ["WorkerHeartbeat"]

# The arbiter looks every second. Where it did not, it was held up itself, and so was the process perhaps.
_LOOKS_WITHIN = 5.0


class WorkerHeartbeat(WorkerTmp):  # type: ignore[misc]
    """What a worker touches, and the arbiter, which forked it, looks at."""

    def __init__(self, worker: Any) -> None:
        super().__init__(worker.cfg)
        self._worker = worker
        self._clock: ProcessTime | None = None
        self._touched_at = 0.0
        self._quiet = 0.0

    def last_update(self) -> float:
        """When the last sign was given, if no time had passed since but the worker's own."""
        touched_at: float = super().last_update()
        now = time.monotonic()
        if self._clock is None or touched_at != self._touched_at:
            self._clock = ProcessTime(self._worker.pid, alone=True)
            self._touched_at = touched_at
            self._quiet = min(now - touched_at, _LOOKS_WITHIN)
        else:
            self._quiet += min(self._clock.passed(), _LOOKS_WITHIN)
        return now - self._quiet
