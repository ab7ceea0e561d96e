"""What one ticket wants of another. A game adds its own by subclassing `Condition`."""

import math
import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from matchmaking.pairing.preference import PreferenceDeclaration
from matchmaking.pairing.section import OFF, Section
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Bools, Floats, Ints

if TYPE_CHECKING:  # both are made of conditions
    from matchmaking.pairing.plan import Plan
    from matchmaking.pairing.settings import Settings

__all__ = ["Condition", "Shown", "Use", "Widening"]

# Seconds: a day. Nothing is worth more, so that sums of costs stay finite and exact enough.
_LONGEST = 86_400.0


class Use(StrEnum):
    """How strictly a condition is meant."""

    MUST = "must"
    PREFER = "prefer"
    DROP = "drop"


class Shown(StrEnum):
    """How the record of an offer says a distance."""

    NUMBER = "number"
    SHARE = "share"
    MILLISECONDS = "milliseconds"
    FIT = "fit"


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

    What else a class says of itself:

    reads           names of the numbers that tickets send under `own` and this condition looks at
    label           what the record of an offer calls it; without one its section's title, or its class, in words
    shown           how the record says a distance

    and, where it is built in, so that an operator can set it for a queue:

    section         its part of the queue's settings, with `use`, `after` and `seconds`
    widens          whether the section has `start`, `per_second` and `cap`, too
    unit            so much distance is what the section's `seconds` are worth
    is_always_held  whether it holds in every strategy, also where no other condition is asked
    preferences     what players may ask for, of which a sweep makes traits
    bucket_trait    the trait in bits by which buckets may divide tickets; empty: they may not
    """

    is_mutual: ClassVar[bool] = False
    reads: ClassVar[tuple[str, ...]] = ()
    label: ClassVar[str] = ""
    shown: ClassVar[Shown] = Shown.NUMBER
    section: ClassVar[type[Section] | None] = None
    widens: ClassVar[bool] = False
    unit: ClassVar[float] = 1.0
    is_always_held: ClassVar[bool] = False
    preferences: ClassVar[tuple[PreferenceDeclaration, ...]] = ()
    bucket_trait: ClassVar[str] = ""

    use: Use = Use.MUST
    after: float = 0.0
    widening: Widening = Widening()
    seconds: float = 0.0

    @classmethod
    def is_on(cls, settings: "Settings") -> bool:
        """Whether the operator wants it; whether it is asked depends on the strategy, too."""
        section: Any = settings.of(cls)
        return bool(section.use != OFF)

    @classmethod
    def of(cls, plan: "Plan") -> Self | None:
        """As the operator has set it, where it is on; None where there is nothing to ask all the same."""
        return cls.from_section(plan.settings.of(cls))

    @classmethod
    def from_section(cls, section: Any, **further: Any) -> Self:
        """What every section of a condition says, and `further` fields."""
        if cls.widens:
            further["widening"] = Widening(
                start=section.start, per_second=section.per_second, cap=section.cap
            )
        return cls(
            use=Use(section.use),
            after=section.after,
            seconds=section.seconds / cls.unit,
            **further,
        )

    @classmethod
    def record_name(cls) -> str:
        """Its name in the records of offers: `rating_gap` of RatingGap."""
        words = re.findall(r"[A-Z]+(?![a-z])|[A-Z][^A-Z]*|^[^A-Z]+", cls.__name__)
        return "_".join(word.strip("_").lower() for word in words)

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
            return np.where(self.has_dropped(tickets), np.inf, accepted)
        return accepted

    def has_dropped(self, tickets: Tickets) -> Bools:
        """Who has waited so long that the condition only costs: length n."""
        if self.use is not Use.DROP:
            return np.zeros(len(tickets), dtype=np.bool_)
        dropped: Bools = tickets.waited >= self.after
        return dropped

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
