"""What one ticket wants of another. A game adds its own by subclassing `Condition`."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

import numpy as np

from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Bools, Floats, Ints

__all__ = ["Condition", "Use", "Widening"]

# Seconds: a day. Nothing is worth more, so that sums of costs stay finite and exact enough.
_LONGEST = 86_400.0


class Use(StrEnum):
    """How strictly a condition is meant."""

    MUST = "must"
    PREFER = "prefer"
    DROP = "drop"


@dataclass(frozen=True, slots=True, kw_only=True)
class Widening:
    """How far away a ticket accepts another, in the condition's unit, and how waiting adds to it.

    start       accepted by somebody who has just begun to wait
    per_second  added for every second of waiting
    cap         the most that waiting can lead to; None: no limit

    Raises ValueError when a figure is negative or not finite, or the cap is below the start.
    """

    start: float = 0.0
    per_second: float = 0.0
    cap: float | None = None

    def __post_init__(self) -> None:
        for name in ("start", "per_second"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value >= 0):
                raise ValueError(f"{name} is {value}: must be a finite number, 0 or more")
        if self.cap is not None and not (math.isfinite(self.cap) and self.cap >= self.start):
            raise ValueError(f"cap is {self.cap}: must be None or at least {self.start:g}")

    def tolerances(self, waited: Floats) -> Floats:
        """What tickets accept after `waited` seconds; same shape as `waited`."""
        with np.errstate(over="ignore"):  # whoever waits for ever accepts anyone
            widened = self.start + self.per_second * waited
        return widened if self.cap is None else np.minimum(widened, self.cap)


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition(ABC):
    """A demand of tickets on each other; two may meet only when each passes every demand of the other.

    use       MUST: never beyond the tolerance. PREFER: forbids nothing, but costs. DROP: a MUST until
              the ticket has waited for `after` seconds, a preference from then on
    after     seconds, for DROP
    widening  the tolerance
    seconds   of waiting that somebody would accept to avoid one unit of distance: the common unit
              of all costs

    A subclass says what `distance` is. Its unit is its own: points, milliseconds, 0 and 1. Where it
    is the same in both directions, to the bit, `is_mutual` may say so: it is then computed once.
    """

    is_mutual: ClassVar[bool] = False
    # Names of the numbers that tickets send under `own` and this condition looks at: no others are read.
    reads: ClassVar[tuple[str, ...]] = ()

    use: Use = Use.MUST
    after: float = 0.0
    widening: Widening = Widening()
    seconds: float = 0.0

    @abstractmethod
    def distance(self, tickets: Tickets, one: Ints, other: Ints) -> Floats:
        """How far the tickets `other` are from what the tickets `one` want: 0 or more, inf for never.

        `one` and `other` are positions, int64 of one length. Asked in both directions.
        """

    def is_idle(self, tickets: Tickets) -> bool:
        """Whether no two of these tickets are at any distance. True saves asking; False is safe."""
        return False

    def classes(self, tickets: Tickets) -> Ints | None:
        """A set of up to 63 classes for each ticket, as bits, if the condition divides tickets so.

        Tickets that share no bit are refused by this condition whatever they have waited. It only
        saves looking at them; None, the default, looks at all.
        """
        return None

    def bound(self, tickets: Tickets) -> "Condition":
        """This condition, having worked out once what it needs of these tickets.

        It is then asked about pairs of these tickets alone. The default has nothing to work out.
        """
        return self

    def tolerances(self, tickets: Tickets) -> Floats:
        """The distance each ticket accepts by now: length n."""
        if self.use is Use.PREFER:
            return np.full(len(tickets), np.inf)
        accepted = self.accepted(tickets)
        if self.use is Use.DROP:
            return np.where(tickets.waited >= self.after, np.inf, accepted)
        return accepted

    def accepted(self, tickets: Tickets) -> Floats:
        """The distance each ticket would accept by now if the condition were a MUST: length n."""
        return self.widening.tolerances(tickets.waited)

    def allows(self, tickets: Tickets, one: Ints, other: Ints, tolerance: Floats) -> Bools:
        """Whether each `one` and `other` accept each other; `tolerance` is that of `tolerances`."""
        there = self.distance(tickets, one, other)
        back = there if self.is_mutual else self.distance(tickets, other, one)
        allowed: Bools = (there <= tolerance.take(one)) & (back <= tolerance.take(other))
        return allowed

    def cost(self, tickets: Tickets, one: Ints, other: Ints) -> Floats:
        """Seconds that the two together would wait to avoid each other's distance: 0 or more, finite."""
        if not self.seconds:
            return np.zeros(len(one))
        there = self.distance(tickets, one, other)
        back = there if self.is_mutual else self.distance(tickets, other, one)
        with np.errstate(over="ignore"):
            cost: Floats = (0.5 * there + 0.5 * back) * self.seconds
        return np.minimum(cost, _LONGEST, out=cost)
