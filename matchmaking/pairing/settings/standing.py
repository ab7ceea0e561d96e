"""Sections that say what past matches and conduct count for."""

from dataclasses import dataclass

from matchmaking.pairing.settings import uses
from ratings.systems.parameters import ParameterSet, gettext_noop, number

__all__ = ["Avoided", "Conduct", "Rematch"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rematch(ParameterSet):
    """No second match at once against the same opponent."""

    use: str = uses.use("drop")
    after: float = uses.after(20)
    seconds: float = uses.seconds(15)
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
class Avoided(ParameterSet):
    """Players on each other's avoid lists."""

    use: str = uses.use("must")
    after: float = uses.after(60)
    seconds: float = uses.seconds(60)


@dataclass(frozen=True, slots=True, kw_only=True)
class Conduct(ParameterSet):
    """Players of bad conduct meet each other first."""

    use: str = uses.use("drop")
    after: float = uses.after(40)
    seconds: float = uses.seconds(20)
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
