"""What two players have had to do with each other: avoid lists, and who met of late."""

from abc import ABC
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from matchmaking.pairing.condition import Condition
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Floats, Ints

__all__ = ["Avoid", "Rematch"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tied(Condition, ABC):
    """The value of the tie between two; 0 where there is none."""

    ties: ClassVar[str]
    is_mutual: ClassVar[bool] = True

    def distance(self, tickets: Tickets, one: Ints, other: Ints) -> Floats:
        if self.ties not in tickets.ties:
            return np.zeros(len(one))
        value = tickets.ties[self.ties].between(one, other)
        return np.where(np.isnan(value), 0.0, value)

    def is_idle(self, tickets: Tickets) -> bool:
        return self.ties not in tickets.ties or not (tickets.ties[self.ties].value > 0).any()


@dataclass(frozen=True, slots=True, kw_only=True)
class Avoid(_Tied):
    """Distance 1 where one of the two avoids the other: ties `avoided`, of value 1."""

    ties: ClassVar[str] = "avoided"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rematch(_Tied):
    """How fresh the last match of the two is: ties `met`, of value 1 just after it, fading to 0."""

    ties: ClassVar[str] = "met"
