"""Leaving a server alone for a moment after it has failed: one that hangs must not slow down all that asks it."""

import time

__all__ = ["Cooldown"]


class Cooldown:
    """Some seconds after each failure in which nothing is tried. Of one process: each finds out for itself."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._until = 0.0

    @property
    def is_on(self) -> bool:
        """Whether the last failure is no longer ago than that."""
        return time.monotonic() < self._until

    def begin(self) -> None:
        """Note a failure."""
        self._until = time.monotonic() + self._seconds
