"""Who is paired with whom so far."""

import numpy as np

from ratings.systems.arrays import Ints

__all__ = ["FREE", "Matching"]

FREE = -1


class Matching:
    """The partner of each of n places, or FREE; the one thing here that changes."""

    def __init__(self, n: int) -> None:
        self.partner: Ints = np.full(n, FREE, dtype=np.int64)

    def free(self) -> Ints:
        """Places without a partner, in ascending order."""
        return np.flatnonzero(self.partner == FREE)

    def pairs(self) -> tuple[Ints, Ints]:
        """Lower and upper place of every pair."""
        lower = np.flatnonzero(self.partner > np.arange(len(self.partner)))
        return lower, self.partner[lower]

    def join(self, one: Ints, other: Ints) -> None:
        """Pair `one` with `other`, place by place; whoever they leave behind must be joined or freed."""
        self.partner[one], self.partner[other] = other, one

    def release(self, places: Ints) -> None:
        """Take their partner from these places."""
        self.partner[places] = FREE
