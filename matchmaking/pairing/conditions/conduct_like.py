"""Players of bad conduct meet each other first."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from matchmaking.pairing.condition import Condition, Use
from matchmaking.pairing.conditions.shared import has_dropped
from matchmaking.pairing.section import Section, after_seconds, use_of, worth_seconds
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Bools, Floats, Ints
from ratings.systems.parameters import gettext_noop, number

if TYPE_CHECKING:
    from matchmaking.pairing.plan import Plan

__all__ = ["ConductLike", "ConductSection"]

_HIGH, _LOW = 1, 2


@dataclass(frozen=True, slots=True, kw_only=True)
class ConductSection(Section):
    """Players of bad conduct meet each other first."""

    name: ClassVar[str] = "conduct"
    title: ClassVar[str] = gettext_noop("Conduct")
    sentence: ClassVar[str] = gettext_noop(
        "Players with a high conduct score meet each other first, and everyone after some time."
    )

    use: str = use_of("drop")
    after: float = after_seconds(40)
    seconds: float = worth_seconds(20)
    high: float = number(
        1,
        0.01,
        1000,
        label=gettext_noop("high from a score of"),
        help=gettext_noop("Players with this conduct score or more meet each other first."),
    )
    half_life_days: float = number(
        14,
        0.1,
        3650,
        unit="d",
        label=gettext_noop("half-life"),
        help=gettext_noop("After this many days a conduct score counts half."),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ConductLike(Condition):
    """Distance 1 from a ticket of a high conduct score to one of a low; none the other way.

    high  the least score that is high

    Trait `conduct`, float64, the score by now; 0: clean. Those of a low score demand nothing: any
    ticket that they would refuse refuses them already, until its time is over.
    """

    section: ClassVar[type[Section]] = ConductSection
    is_always_held: ClassVar[bool] = True

    high: float = 1.0

    @classmethod
    def of(cls, plan: "Plan") -> Self:
        section = plan.settings.section(ConductSection)
        return cls.from_section(section, high=section.high)

    def distance(self, tickets: Tickets, one: Ints, other: Ints) -> Floats:
        is_high = self._is_high(tickets)
        return (is_high.take(one) & ~is_high.take(other)).astype(np.float64)

    def is_idle(self, tickets: Tickets) -> bool:
        is_high = self._is_high(tickets)
        return bool(is_high.all() or not is_high.any())

    def classes(self, tickets: Tickets) -> Ints | None:
        if self.use is Use.PREFER:
            return None
        after = np.where(has_dropped(self, tickets), _HIGH | _LOW, _HIGH)
        return np.where(self._is_high(tickets), after, _LOW)

    def _is_high(self, tickets: Tickets) -> Bools:
        if "conduct" not in tickets.traits:
            return np.zeros(len(tickets), dtype=np.bool_)
        is_high: Bools = tickets.traits["conduct"] >= self.high
        return is_high
