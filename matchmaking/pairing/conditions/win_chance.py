"""How sure the result may be."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from matchmaking.pairing.condition import Condition
from matchmaking.pairing.conditions.chances import expect, is_weaker
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Floats, Ints
from ratings.systems.protocol import System

__all__ = ["WinChance"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WinChance(Condition):
    """How far the expected score is from one half, 0..0.5, by the ladder's own system.

    system       predicts from ratings and deviations
    side_points  rating points that the better side is worth; the weaker of two plays it
    """

    is_mutual: ClassVar[bool] = True

    system: System
    side_points: float = 0.0

    def distance(self, tickets: Tickets, one: Ints, other: Ints) -> Floats:
        # Always asked for the weaker, so that both directions give the same bits.
        weaker = is_weaker(tickets, one, other)
        first, second = np.where(weaker, (one, other), (other, one))
        chance = expect(tickets, self.system, first, second, abs(self.side_points))
        return np.abs(chance - 0.5)
