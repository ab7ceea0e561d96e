"""Sections that say who may meet whom: two players, or everybody of a match; past matches and conduct included."""

from dataclasses import dataclass
from typing import Any

from matchmaking.pairing.settings import uses
from matchmaking.pairing.settings.text_lists import read_words
from ratings.systems.parameters import ParameterSet, gettext_noop, number, text, whole

__all__ = [
    "Avoided",
    "Chance",
    "Conduct",
    "Exchange",
    "Language",
    "Region",
    "Rematch",
    "Rules",
    "Style",
]


def _words(label: str) -> Any:
    """Words that players choose from, see `read_words`."""
    return text(
        "",
        1000,
        label=label,
        help=gettext_noop(
            "What players can choose from, one per line; nothing else is accepted. "
            "Empty: any words."
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange(ParameterSet):
    """Quality against wait."""

    points_per_second: float = number(
        5.0,
        0.01,
        10_000,
        label=gettext_noop("points that a second is worth"),
        help=gettext_noop(
            "A player would rather wait a second than play somebody this many rating "
            "points further away."
        ),
    )
    faster_at_extremes: float = number(
        0.0,
        0,
        10,
        label=gettext_noop("faster at the extremes"),
        help=gettext_noop(
            "How much faster the gap widens for each standard deviation that a rating lies beyond the first, "
            "as a share: 0.5 is half as fast again."
        ),
    )
    exact_up_to: int = whole(
        100,
        0,
        200,
        label=gettext_noop("exact up to"),
        help=gettext_noop(
            "Up to this many single-player tickets are paired at the lowest possible cost."
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Chance(ParameterSet):
    """How sure the result may be, by the ladder's own rating system."""

    use: str = uses.use("off")
    after: float = uses.after(30)
    start: float = number(
        0.15,
        0,
        0.5,
        label=gettext_noop("distance at the start"),
        help=gettext_noop("From an even match: 0.15 accepts chances from 35% to 65%."),
    )
    per_second: float = number(
        0.005,
        0,
        0.5,
        label=gettext_noop("added per second"),
        help=gettext_noop("How much more each player accepts for every second of waiting."),
    )
    cap: float = number(
        0.5,
        0,
        0.5,
        label=gettext_noop("at most"),
        help=gettext_noop("Waiting never leads further from an even match."),
    )
    seconds: float = number(
        0,
        0,
        3600,
        unit="s",
        label=gettext_noop("worth"),
        help=gettext_noop(
            "Seconds that a player would wait for an even match instead of a sure one."
        ),
    )

    def check_together(self) -> None:
        self.check_not_below("start", "cap")


@dataclass(frozen=True, slots=True, kw_only=True)
class Language(ParameterSet):
    """A language in common. Whoever names none speaks with everyone."""

    use: str = uses.use("off")
    after: float = uses.after(30)
    seconds: float = uses.seconds(20)


@dataclass(frozen=True, slots=True, kw_only=True)
class Region(ParameterSet):
    """A region in common, and how long messages take to it. Whoever names none plays anywhere."""

    use: str = uses.use("off")
    names: str = _words(gettext_noop("regions"))
    after: float = uses.after(60)
    start: float = number(
        80,
        0,
        5000,
        unit="ms",
        label=gettext_noop("latency at the start"),
        help=gettext_noop("To the best region in common, as the player's game has measured it."),
    )
    per_second: float = number(
        2,
        0,
        1000,
        unit="ms",
        label=gettext_noop("added per second"),
        help=gettext_noop("How much more each player accepts for every second of waiting."),
    )
    cap: float = number(
        250,
        0,
        5000,
        unit="ms",
        label=gettext_noop("at most"),
        help=gettext_noop("Waiting never leads to a higher latency."),
    )
    seconds: float = number(
        10,
        0,
        3600,
        unit="s",
        label=gettext_noop("worth"),
        help=gettext_noop("Seconds that a player would wait to avoid 100 ms."),
    )

    def check_together(self) -> None:
        self.check_not_below("start", "cap")
        read_words("names", self.names)


@dataclass(frozen=True, slots=True, kw_only=True)
class Style(ParameterSet):
    """The style of play that both want. Whoever names none plays with everyone."""

    use: str = uses.use("off")
    names: str = _words(gettext_noop("styles"))
    after: float = uses.after(30)
    seconds: float = uses.seconds(10)

    def check_together(self) -> None:
        read_words("names", self.names)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(ParameterSet):
    """Optional rules that both want. Whoever names none takes any."""

    use: str = uses.use("off")
    names: str = _words(gettext_noop("rules"))
    after: float = uses.after(30)
    seconds: float = uses.seconds(10)

    def check_together(self) -> None:
        read_words("names", self.names)


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
