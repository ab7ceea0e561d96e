"""How sure the result may be, by what the ladder's rating system expects of two tickets."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from matchmaking.pairing.condition import Condition, Shown
from matchmaking.pairing.section import (
    Section,
    added_per_second,
    after_seconds,
    use_of,
    worth_seconds,
)
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Floats, Ints
from ratings.systems.base import System
from ratings.systems.parameters import gettext_noop, number
from ratings.systems.state import Ratings

if TYPE_CHECKING:
    from matchmaking.pairing.plan import Plan

__all__ = ["WinChance", "expect"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChanceSection(Section):
    """How sure the result may be, by the ladder's own rating system."""

    name: ClassVar[str] = "chance"
    title: ClassVar[str] = gettext_noop("Chance to win")
    sentence: ClassVar[str] = gettext_noop(
        "How predictable the winner may be, by the ladder's own rating system. It "
        "takes uncertain ratings and sides into account."
    )

    use: str = use_of("off")
    after: float = after_seconds(30)
    start: float = number(
        0.15,
        0,
        0.5,
        label=gettext_noop("distance at the start"),
        help=gettext_noop("From an even match: 0.15 accepts chances from 35% to 65%."),
    )
    per_second: float = added_per_second(0.005, 0.5)
    cap: float = number(
        0.5,
        0,
        0.5,
        label=gettext_noop("at most"),
        help=gettext_noop("Waiting never leads further from an even match."),
    )
    seconds: float = worth_seconds(
        0,
        gettext_noop("Seconds that a player would wait for an even match instead of a sure one."),
    )

    def check_together(self) -> None:
        self.check_not_below("start", "cap")


@dataclass(frozen=True, slots=True, kw_only=True)
class WinChance(Condition):
    """How far the expected score is from one half, 0..0.5, by the ladder's own system.

    system       predicts from ratings and deviations
    side_points  rating points that the better side is worth; the weaker of two plays it
    """

    is_mutual: ClassVar[bool] = True
    shown: ClassVar[Shown] = Shown.SHARE
    section: ClassVar[type[Section]] = ChanceSection
    widens: ClassVar[bool] = True
    unit: ClassVar[float] = 0.5  # the distance of a sure match from an even one

    system: System
    side_points: float = 0.0

    @classmethod
    def of(cls, plan: "Plan") -> Self | None:
        if plan.system is None:
            return None
        return cls.from_section(
            plan.settings.of(cls),
            system=plan.system,
            side_points=0.0 if plan.hides_strength else plan.side_points,
        )

    def distance(self, tickets: Tickets, one: Ints, other: Ints) -> Floats:
        # Always asked for the weaker, of equal ones the lower id, so that both directions give the same bits.
        mine, theirs = tickets.rating.take(one), tickets.rating.take(other)
        is_first = tickets.id.take(one) < tickets.id.take(other)
        weaker = np.where(mine == theirs, is_first, mine < theirs)
        first, second = np.where(weaker, (one, other), (other, one))
        chance = expect(tickets, self.system, first, second, abs(self.side_points))
        return np.abs(chance - 0.5)


def expect(tickets: Tickets, system: System, first: Ints, second: Ints, points: float) -> Floats:
    """The score expected of each `first`, 0..1, who plays a side worth so many rating points.

    A ticket without a deviation is taken for a newcomer's, where the system has deviations.
    """
    deviation = None
    if (start := system.initial(1).deviation) is not None:
        deviation = np.where(np.isnan(tickets.deviation), start[0], tickets.deviation)
    value = np.concatenate((tickets.rating.take(first) + points, tickets.rating.take(second)))
    both = np.concatenate((first, second))
    ratings = Ratings.without_games(value, None if deviation is None else deviation.take(both))
    index = np.arange(len(first))
    return system.expected(ratings, index, index + len(first))
