"""The sections of a queue's settings. What a section says of a condition is the same for all: `use`."""

from dataclasses import dataclass
from typing import Any

from matchmaking.pairing.settings.levels import read_levels, read_maps, read_numbers, read_roles
from ratings.systems.parameters import (
    ParameterSet,
    choice,
    gettext_noop,
    number,
    switch,
    text,
    whole,
)

__all__ = [
    "SECTIONS",
    "Avoided",
    "Bootstrap",
    "Buckets",
    "Chance",
    "Conduct",
    "Exchange",
    "Language",
    "Maps",
    "Region",
    "Rematch",
    "Rules",
    "Style",
    "Teams",
]

_USES = "off", "must", "drop", "prefer"


def _use(default: str) -> Any:
    return choice(
        default,
        *_USES,
        label=gettext_noop("use"),
        help=gettext_noop(
            "Off; must: never broken; drop: a must until the player has waited for so long; prefer: forbids nothing, "
            "but costs."
        ),
    )


def _after(default: float) -> Any:
    return number(
        default,
        0,
        3600,
        unit="s",
        label=gettext_noop("dropped after"),
        help=gettext_noop("Seconds of waiting after which a condition to be dropped only costs."),
    )


def _seconds(default: float) -> Any:
    return number(
        default,
        0,
        3600,
        unit="s",
        label=gettext_noop("worth"),
        help=gettext_noop("Seconds that a player would wait to avoid it."),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange(ParameterSet):
    """Quality against wait."""

    points_per_second: float = number(
        5.0,
        0.01,
        10_000,
        label=gettext_noop("points a second is worth"),
        help=gettext_noop(
            "A player would rather wait a second than play somebody so many rating points further away."
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
        help=gettext_noop("So many tickets of one player are paired with the least cost there is."),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Chance(ParameterSet):
    """How sure the result may be, by the ladder's own rating system."""

    use: str = _use("off")
    after: float = _after(30)
    start: float = number(
        0.15,
        0,
        0.5,
        label=gettext_noop("distance at the start"),
        help=gettext_noop("From an even match: 0.15 accepts chances from 35 % to 65 %."),
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
        label=gettext_noop("the most"),
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

    use: str = _use("off")
    after: float = _after(30)
    seconds: float = _seconds(20)


@dataclass(frozen=True, slots=True, kw_only=True)
class Region(ParameterSet):
    """A region in common, and how long messages take to it. Whoever names none plays anywhere."""

    use: str = _use("off")
    after: float = _after(60)
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
        label=gettext_noop("the most"),
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Style(ParameterSet):
    """The style of play that both want. Whoever names none plays with everyone."""

    use: str = _use("off")
    after: float = _after(30)
    seconds: float = _seconds(10)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(ParameterSet):
    """Optional rules that both want. Whoever names none takes any."""

    use: str = _use("off")
    after: float = _after(30)
    seconds: float = _seconds(10)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rematch(ParameterSet):
    """No second match at once against the same opponent."""

    use: str = _use("drop")
    after: float = _after(20)
    seconds: float = _seconds(15)
    minutes: float = number(
        10,
        0,
        1440,
        unit="min",
        label=gettext_noop("minutes"),
        help=gettext_noop(
            "So long after their last match two players count as met; it fades until then."
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Avoided(ParameterSet):
    """Players on each other's avoid lists."""

    use: str = _use("must")
    after: float = _after(60)
    seconds: float = _seconds(60)


@dataclass(frozen=True, slots=True, kw_only=True)
class Conduct(ParameterSet):
    """Players of bad conduct meet each other first."""

    use: str = _use("drop")
    after: float = _after(40)
    seconds: float = _seconds(20)
    high: float = number(
        1,
        0.01,
        1000,
        label=gettext_noop("score that is high"),
        help=gettext_noop("Whoever has this conduct score or more meets others who have, first."),
    )
    half_life_days: float = number(
        14,
        0.1,
        3650,
        unit="d",
        label=gettext_noop("half-life"),
        help=gettext_noop("After so many days a conduct score counts for half."),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Bootstrap(ParameterSet):
    """A new pool mixes evenly before it matches fairly."""

    until: int = whole(
        0,
        0,
        10_000,
        label=gettext_noop("until established"),
        help=gettext_noop(
            "Until so many players are established everyone meets everyone, those first who have not met yet. "
            "0: never."
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Buckets(ParameterSet):
    """Levels of buckets, for that strategy."""

    levels: str = text(
        "language, skill: 1; language: 10; skill: 10; anyone: 20",
        1000,
        label=gettext_noop("levels"),
        help=gettext_noop(
            "What the players of a bucket have in common, and seconds until they enter the next level as well: "
            "“language, skill: 1; language: 10; anyone: 20”. Criteria are language, region, skill and style."
        ),
    )
    borders: str = text(
        "1200, 1400, 1600, 1800, 2000",
        500,
        label=gettext_noop("borders of the skill classes"),
        help=gettext_noop("Ratings at which one class ends and the next begins."),
    )
    filters_inside: bool = switch(
        False,
        label=gettext_noop("filters inside"),
        help=gettext_noop("The conditions above hold inside the buckets as well."),
    )

    def check_together(self) -> None:
        read_levels("levels", self.levels)
        read_numbers("borders", self.borders)


@dataclass(frozen=True, slots=True, kw_only=True)
class Teams(ParameterSet):
    """Matches of more than two players."""

    spread_start: float = number(
        300,
        0,
        100_000,
        label=gettext_noop("spread at the start"),
        help=gettext_noop("Rating points between the strongest and the weakest ticket of a match."),
    )
    spread_per_second: float = number(
        5,
        0,
        100_000,
        label=gettext_noop("added per second"),
        help=gettext_noop("How much more each player accepts for every second of waiting."),
    )
    party_bonus: float = number(
        10,
        -1000,
        1000,
        label=gettext_noop("points for playing together"),
        help=gettext_noop("Rating points added to a party for each player beyond the first."),
    )
    split: str = choice(
        "best",
        "best",
        "sources",
        label=gettext_noop("split into teams"),
        help=gettext_noop(
            "Best: the most even of all splits. Sources: strongest first, each to the team with the lowest total."
        ),
    )
    parity_seconds: float = number(
        10,
        0,
        3600,
        unit="s",
        label=gettext_noop("parties against parties"),
        help=gettext_noop(
            "Seconds of waiting it is worth that teams have parties of the same sizes."
        ),
    )
    roles: str = text(
        "",
        500,
        label=gettext_noop("roles"),
        help=gettext_noop(
            "How many of each a team needs: “tank 1; healer 1; damage 3”. Empty: no roles."
        ),
    )

    def check_together(self) -> None:
        read_roles("roles", self.roles)


@dataclass(frozen=True, slots=True, kw_only=True)
class Maps(ParameterSet):
    """Maps that matches of this queue are played on."""

    names: str = text(
        "",
        4000,
        label=gettext_noop("maps"),
        help=gettext_noop(
            "One a line. A number behind the name is what the first team's side is worth there, in rating points; "
            "without one it is estimated. Empty: the game chooses."
        ),
    )
    newcomer_points: float = number(
        0,
        0,
        1000,
        label=gettext_noop("points for not knowing a map"),
        help=gettext_noop(
            "A player counts as so much weaker on a map never played; it fades with each game there."
        ),
    )
    known_after: int = whole(
        5,
        1,
        100,
        label=gettext_noop("games until a map is known"),
        help=gettext_noop("After so many games on a map nothing is taken off."),
    )

    def check_together(self) -> None:
        read_maps("names", self.names)


SECTIONS: dict[str, type[ParameterSet]] = {
    "exchange": Exchange,
    "chance": Chance,
    "language": Language,
    "region": Region,
    "style": Style,
    "rules": Rules,
    "rematch": Rematch,
    "avoided": Avoided,
    "conduct": Conduct,
    "teams": Teams,
    "maps": Maps,
    "buckets": Buckets,
    "bootstrap": Bootstrap,
}
