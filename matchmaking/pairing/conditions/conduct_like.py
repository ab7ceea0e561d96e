"""Players of bad conduct meet each other first."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from matchmaking.pairing.condition import Condition, Use
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
        "Players with a high conduct score meet each other first, and everyone after some time. From how"
        " many points on, and how fast they fade, the game's rules of conduct say."
    )

    use: str = use_of("drop")
    after: float = after_seconds(40)
    at_most: float = number(
        120,
        0,
        3600,
        unit="s",
        label=gettext_noop("at most"),
        help=gettext_noop(
            "Who has more points than needed is bound for longer, in proportion, but for no more seconds than these."
        ),
    )
    seconds: float = worth_seconds(20)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConductLike(Condition):
    """Distance 1 from a ticket of a high conduct score to one of a low; none the other way.

    high     the least score that is high
    at_most  seconds. A ticket of just that score is bound for `after` seconds, one of more in proportion for
             longer, up to this: where few search, few of bad conduct come within `after` seconds, and so those
             who leave often would mostly meet the others

    Trait `conduct`, float64, the score by now; 0: clean. Those of a low score demand nothing: any
    ticket that they would refuse refuses them already, until its time is over.
    """

    section: ClassVar[type[Section]] = ConductSection
    is_always_held: ClassVar[bool] = True

    high: float = 1.0
    at_most: float = 0.0

    @classmethod
    def of(cls, plan: "Plan") -> Self:
        section = plan.settings.section(ConductSection)
        return cls.from_section(section, high=plan.high_conduct, at_most=section.at_most)

    def distance(self, tickets: Tickets, one: Ints, other: Ints) -> Floats:
        is_high = self._is_high(tickets)
        return (is_high.take(one) & ~is_high.take(other)).astype(np.float64)

    def is_idle(self, tickets: Tickets) -> bool:
        is_high = self._is_high(tickets)
        return bool(is_high.all() or not is_high.any())

    def classes(self, tickets: Tickets) -> Ints | None:
        if self.use is Use.PREFER:
            return None
        meets = np.where(self.has_dropped(tickets), _HIGH | _LOW, _HIGH)
        return np.where(self._is_high(tickets), meets, _LOW)

    def has_dropped(self, tickets: Tickets) -> Bools:
        if self.use is not Use.DROP:
            return np.zeros(len(tickets), dtype=np.bool_)
        scores = tickets.traits.get("conduct", np.zeros(len(tickets)))
        longest = max(self.after, self.at_most)
        bound = (
            np.clip(self.after * scores / self.high, self.after, longest) if self.high else longest
        )
        dropped: Bools = tickets.waited >= bound
        return dropped

    def _is_high(self, tickets: Tickets) -> Bools:
        if "conduct" not in tickets.traits:
            return np.zeros(len(tickets), dtype=np.bool_)
        is_high: Bools = tickets.traits["conduct"] >= self.high
        return is_high
