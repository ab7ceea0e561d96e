"""How many requests a second all simulated players together may make."""

import asyncio

__all__ = ["Pace"]


class Pace:
    """Lets callers through one after the other: `per_second` in the long run, `burst` at once after a rest."""

    def __init__(self, per_second: float, *, burst: int) -> None:
        self._interval = 1.0 / per_second
        self._credit = (burst - 1) * self._interval
        self._next = float("-inf")

    def delay(self, now: float) -> float:
        """Take the next place in the line; returns the seconds until it is that one's turn."""
        mine = max(self._next, now - self._credit)
        self._next = mine + self._interval
        return max(0.0, mine - now)

    async def turn(self) -> None:
        """Wait for one's turn."""
        await asyncio.sleep(self.delay(asyncio.get_running_loop().time()))
