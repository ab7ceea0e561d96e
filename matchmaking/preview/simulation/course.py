"""What came of every ticket, and every match that was made."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from ratings.systems.arrays import Bools, Floats

__all__ = ["Course"]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Course:
    """n tickets and m matches.

    Length n:
    rating   float64, rating points
    wait     float64, seconds until the match, or as long as the ticket was there without one
    matched  bool, whether it found a match
    left     bool, whether it gave up
    own_gap  float64, the gap of its match, rating points; nan without one
    Length m:
    gap      float64, rating points between the strongest and the weakest team
    chance   float64, score expected of the first team; nan where nobody can say
    cost     float64, seconds: the sum of what the tickets dislike in each other
    """

    rating: Floats
    wait: Floats
    matched: Bools
    left: Bools
    own_gap: Floats
    gap: Floats
    chance: Floats
    cost: Floats

    @classmethod
    def join(cls, courses: Sequence[Self]) -> Self:
        """Several courses as one."""
        return cls(
            **{
                name: np.concatenate([getattr(course, name) for course in courses])
                for name in cls.__slots__
            }
        )
