"""What two players have had to do with each other: block lists, and who met of late."""

from abc import ABC
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from matchmaking.pairing.condition import Condition, Shown
from matchmaking.pairing.section import Section, after_seconds, use_of, worth_seconds
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Floats, Ints
from ratings.systems.parameters import gettext_noop, number

__all__ = ["Avoid", "Rematch", "RematchSection"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tied(Condition, ABC):
    """The value of the tie between two; 0 where there is none."""

    ties: ClassVar[str]
    is_mutual: ClassVar[bool] = True

    def distance(self, tickets: Tickets, one: Ints, other: Ints) -> Floats:
        if self.ties not in tickets.ties:
            return np.zeros(len(one))
        value = tickets.ties[self.ties].between(one, other)
        return np.where(np.isnan(value), 0.0, value)

    def is_idle(self, tickets: Tickets) -> bool:
        return self.ties not in tickets.ties or not (tickets.ties[self.ties].value > 0).any()


@dataclass(frozen=True, slots=True, kw_only=True)
class AvoidSection(Section):
    """Players on each other's avoid lists."""

    name: ClassVar[str] = "avoided"
    title: ClassVar[str] = gettext_noop("Avoid lists")
    sentence: ClassVar[str] = gettext_noop(
        "Whether players can be matched with those whom they avoid or block. Nobody else sees these "
        "lists, not even you."
    )

    use: str = use_of("must")
    after: float = after_seconds(60)
    seconds: float = worth_seconds(60)


@dataclass(frozen=True, slots=True, kw_only=True)
class Avoid(_Tied):
    """Distance 1 where one of the two avoids the other: ties `avoided`, of value 1."""

    shown: ClassVar[Shown] = Shown.FIT
    section: ClassVar[type[Section]] = AvoidSection
    is_always_held: ClassVar[bool] = True
    ties: ClassVar[str] = "avoided"


@dataclass(frozen=True, slots=True, kw_only=True)
class RematchSection(Section):
    """No second match at once against the same opponent."""

    name: ClassVar[str] = "rematch"
    title: ClassVar[str] = gettext_noop("No rematch")
    sentence: ClassVar[str] = gettext_noop(
        "Whether two players may meet again right after their last match."
    )

    use: str = use_of("drop")
    after: float = after_seconds(20)
    seconds: float = worth_seconds(15)
    minutes: float = number(
        10,
        0,
        1440,
        unit="min",
        label=gettext_noop("minutes"),
        help=gettext_noop(
            "For this long after their last match two players count as having met; it"
            " fades until then."
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Rematch(_Tied):
    """How fresh the last match of the two is: ties `met`, of value 1 just after it, fading to 0."""

    section: ClassVar[type[Section]] = RematchSection
    ties: ClassVar[str] = "met"
