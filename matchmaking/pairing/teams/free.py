"""Who still waits, of places in a row."""

from collections.abc import Iterable

import numpy as np

from ratings.systems.arrays import Bools

__all__ = ["END", "Free"]

END = -1


class Free:
    """Each of n places knows the next free one above and below it, so that those taken cost nothing."""

    def __init__(self, n: int) -> None:
        self.is_free: Bools = np.ones(n, dtype=np.bool_)
        self.above = [*range(1, n), END] if n else []
        self.below = list(range(END, n - 1))

    def take(self, places: Iterable[int]) -> None:
        """Take free places out of the row."""
        for place in places:
            self.is_free[place] = False
            below, above = self.below[place], self.above[place]
            if below != END:
                self.above[below] = above
            if above != END:
                self.below[above] = below
