"""When two meet: not while waiting is likely to bring a better match."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from matchmaking.pairing.arrivals import ArrivalRates
from matchmaking.pairing.condition import Condition
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Floats, Ints
from ratings.systems.parameters import gettext_noop

if TYPE_CHECKING:
    from matchmaking.pairing.plan import Plan
    from matchmaking.pairing.settings import Settings

__all__ = ["Hold"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold(Condition):
    """Seconds for which a pair is held back still, if nobody better comes; 0: it is released.

    rates              who comes
    points_per_second  rating points that are worth a second of waiting
    at_most            seconds after which nobody is held back any more

    Costs are balanced: a pair is released once the two have waited together for as long as its gap is worth beyond
    the gap to be expected. At a rating at which tickets come with rate r a second and point, the nearest of those who
    come within t seconds is 1 / (2 r t) points away on average. With c points for a second, c t + 1 / (2 r t) is
    least at a gap of sqrt(c / (2 r)): that is to be expected there. Of the two the one with the larger counts, so that
    those for whom few come do not wait for what does not come.

    On where the queue's section `timing` says so, in matches of one against one, and where enough came lately.
    """

    is_mutual: ClassVar[bool] = True
    label: ClassVar[str] = gettext_noop("Time to match")

    rates: ArrivalRates
    points_per_second: float
    at_most: float

    @classmethod
    def is_on(cls, settings: "Settings") -> bool:
        return settings.timing.holds

    @classmethod
    def of(cls, plan: "Plan") -> Self | None:
        if plan.arrivals is None or not plan.is_duel:
            return None
        settings = plan.settings
        return cls(
            rates=plan.arrivals,
            points_per_second=settings.exchange.points_per_second,
            at_most=settings.timing.at_most,
        )

    def distance(self, tickets: Tickets, one: Ints, other: Ints) -> Floats:
        expected, waited = self.expected_gap(tickets.rating), tickets.waited
        gap = np.abs(tickets.rating.take(one) - tickets.rating.take(other))
        excess = gap - np.maximum(expected.take(one), expected.take(other))
        together = waited.take(one) + waited.take(other)
        balanced = (excess / self.points_per_second - together) / 2  # both of them wait on
        longest = self.at_most - np.maximum(waited.take(one), waited.take(other))
        left: Floats = np.maximum(np.minimum(balanced, longest), 0.0)
        return left

    def expected_gap(self, ratings: Floats) -> Floats:
        """Rating points between a ticket of each rating and the partner that it can expect."""
        gap: Floats = np.sqrt(self.points_per_second / (2 * self.rates.at(ratings)))
        return gap
