"""Drift: what time by itself takes from every rating, or gives to it, whoever plays."""

from dataclasses import dataclass

import numpy as np

from ratings.systems.arrays import Floats

__all__ = ["NO_DRIFT", "Drift"]


@dataclass(frozen=True, slots=True)
class Drift:
    """What happens to every rating of a pool on each date on which it is due.

    points  rating points added, finite; below 0 they are taken
    floor   rating points below which nothing is taken; None: no limit. A rating below it stays where it is
    """

    points: float = 0.0
    floor: float | None = None

    def __bool__(self) -> bool:
        return self.points != 0.0

    def apply(self, value: Floats) -> Floats:
        """The ratings after one date: max(value + points, floor). `value` is left as it is.

        Several dates are applied one after the other: the floor keeps what a sum of them would not.
        """
        moved = value + self.points
        if self.floor is not None and self.points < 0:
            moved = np.maximum(moved, np.minimum(value, self.floor))
        return moved


NO_DRIFT = Drift()
