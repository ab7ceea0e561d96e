"""How far apart two ratings may be."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from matchmaking.pairing.condition import Condition
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Floats, Ints
from ratings.systems.parameters import gettext_noop

if TYPE_CHECKING:
    from matchmaking.pairing.plan import Plan
    from matchmaking.pairing.settings import Settings

__all__ = ["RatingGap"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingGap(Condition):
    """The difference of the ratings, in rating points.

    at_extremes  how much faster the gap widens for each standard deviation that a rating lies
                 beyond the first, as a share: there are few players out there

    Always on: the gap is a queue's own, and what a point is worth is in its section `exchange`.
    """

    is_mutual: ClassVar[bool] = True
    label: ClassVar[str] = gettext_noop("Rating gap")
    widens: ClassVar[bool] = True

    at_extremes: float = 0.0

    @classmethod
    def is_on(cls, settings: "Settings") -> bool:
        return True

    @classmethod
    def of(cls, plan: "Plan") -> Self:
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
        """Points each ticket accepts by now; waiting counts for more far from the mean rating.

        Each widens 1 + share · max(0, |rating - mean| / sd - 1) times as fast.
        """
        if not self.at_extremes or len(tickets) < 2:
            return self.widening.tolerances(tickets.waited)
        # Sums are rounded: the order of the tickets must not show.
        ordered = np.sort(tickets.rating)
        if not (spread := ordered.std()):
            return self.widening.tolerances(tickets.waited)
        beyond = np.abs(tickets.rating - ordered.mean()) / spread - 1
        faster = 1 + self.at_extremes * np.maximum(beyond, 0.0)
        return self.widening.tolerances(tickets.waited * faster)
