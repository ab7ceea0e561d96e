"""How far apart two ratings may be."""

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from matchmaking.pairing.condition import Condition
from matchmaking.pairing.model.plan import Plan
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Floats, Ints

__all__ = ["RatingGap"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingGap(Condition):
    """The difference of the ratings, in rating points.

    at_extremes  how much faster the gap widens for each standard deviation that a rating lies
                 beyond the first, as a share: there are few players out there
    """

    is_mutual: ClassVar[bool] = True

    at_extremes: float = 0.0

    @classmethod
    def of(cls, plan: Plan) -> Self:
        """As the operator has set it; a point costs what it is worth in seconds."""
        exchange = plan.settings.exchange
        return cls(
            widening=plan.rules.widening,
            seconds=1 / exchange.points_per_second,
            at_extremes=exchange.faster_at_extremes,
        )

    def distance(self, tickets: Tickets, one: Ints, other: Ints) -> Floats:
        gap: Floats = np.abs(tickets.rating.take(one) - tickets.rating.take(other))
        return gap

    def accepted(self, tickets: Tickets) -> Floats:
        """Points each ticket accepts by now; waiting counts for more far from the mean rating."""
        if not self.at_extremes or len(tickets) < 2:
            return self.widening.tolerances(tickets.waited)
        return self.widening.tolerances(tickets.waited * self._haste(tickets.rating))

    def _haste(self, rating: Floats) -> Floats:
        """How many times as fast each widens: 1 + share · max(0, |rating - mean| / sd - 1)."""
        ordered = np.sort(rating)  # sums are rounded: the order of the tickets must not show
        spread = ordered.std()
        if not spread:
            return np.ones(len(rating))
        beyond = np.abs(rating - ordered.mean()) / spread - 1
        haste: Floats = 1 + self.at_extremes * np.maximum(beyond, 0.0)
        return haste
