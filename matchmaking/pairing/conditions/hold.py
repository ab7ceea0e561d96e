"""When two meet: not while waiting is likely to bring a better match."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from matchmaking.pairing.arrivals import ExpectedGaps
from matchmaking.pairing.condition import Condition
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Bools, Floats, Ints
from ratings.systems.parameters import gettext_noop

if TYPE_CHECKING:
    from matchmaking.pairing.plan import Plan
    from matchmaking.pairing.settings import Settings

__all__ = ["Hold"]

_HALVINGS = 40  # of an hour at most: what is left is far below a second


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold(Condition):
    """Seconds for which a pair is held back still, if nobody better comes; 0: it is released.

    expected  the gap to be expected at each rating
    at_most   seconds after which nobody is held back any more

    A pair is released as soon as it is no further apart than the two would accept on average. Each accepts the gap that
    is to be expected of its rating, and beyond it the more the longer it has waited: after w seconds, that gap
    / (1 - (w / at_most)^2), which is anybody in the end, without a jump. At the ends of the scale the expected gap is
    wide, so that nobody is held there for somebody who does not exist.

    On where the queue's section `timing` says so, in matches of one against one, and where enough came lately.
    """

    is_mutual: ClassVar[bool] = True
    label: ClassVar[str] = gettext_noop("Time to match")

    expected: ExpectedGaps
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
            expected=plan.arrivals.expected_gaps(settings.exchange.points_per_second),
            at_most=settings.timing.at_most,
        )

    def allows(self, tickets: Tickets, one: Ints, other: Ints, tolerance: Floats) -> Bools:
        return self.releases(tickets, one, other)

    def distance(self, tickets: Tickets, one: Ints, other: Ints) -> Floats:
        left = np.zeros(len(one))
        held = np.flatnonzero(~self.releases(tickets, one, other))
        one, other = one.take(held), other.take(held)
        longer = np.maximum(tickets.waited.take(one), tickets.waited.take(other))
        low, high = np.zeros(len(held)), self.at_most - longer
        for _ in range(_HALVINGS if len(held) else 0):
            middle = (low + high) / 2
            free = self.releases(tickets, one, other, after=middle)
            low, high = np.where(free, low, middle), np.where(free, middle, high)
        left[held] = high
        return left

    def releases(
        self, tickets: Tickets, one: Ints, other: Ints, after: Floats | float = 0.0
    ) -> Bools:
        """Whether each two are released, `after` so many seconds more."""
        expected, waited = self.expected.at(tickets.rating), tickets.waited
        gap = np.abs(tickets.rating.take(one) - tickets.rating.take(other))
        with np.errstate(divide="ignore"):  # anybody
            mine = expected.take(one) / self._unused(waited.take(one) + after)
            theirs = expected.take(other) / self._unused(waited.take(other) + after)
        released: Bools = 2 * gap <= mine + theirs
        return released

    def _unused(self, waited: Floats) -> Floats:
        """1 for who has just come, 0 from `at_most` on."""
        if not self.at_most:
            return np.zeros(len(waited))
        unused: Floats = 1 - np.minimum(waited / self.at_most, 1.0) ** 2
        return unused
