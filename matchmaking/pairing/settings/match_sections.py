"""Sections of no single condition: what a wait is worth, how a match is made up, how pools are looked through."""

from dataclasses import dataclass
from typing import ClassVar

from matchmaking.pairing.section import Section, added_per_second
from matchmaking.pairing.settings.text_lists import read_levels, read_maps, read_numbers, read_roles
from ratings.systems.parameters import (
    choice,
    gettext_noop,
    number,
    switch,
    text,
    whole,
)

__all__ = ["Alerts", "Bootstrap", "Buckets", "Exchange", "Maps", "Teams", "Timing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange(Section):
    """Quality against wait."""

    name: ClassVar[str] = "exchange"
    title: ClassVar[str] = gettext_noop("Quality against wait")
    sentence: ClassVar[str] = gettext_noop(
        "Players who wait long may get a worse match. This says how much worse; the "
        "preview shows the effect."
    )

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
class Timing(Section):
    """When to match, not only whom."""

    name: ClassVar[str] = "timing"
    title: ClassVar[str] = gettext_noop("When to match")
    sentence: ClassVar[str] = gettext_noop(
        "A pair can be held back while waiting is likely to bring a better one, by how many "
        "players have come lately. In matches of one against one."
    )

    holds: bool = switch(
        False,
        label=gettext_noop("hold pairs back"),
        help=gettext_noop(
            "Two are matched at once only where nobody nearer is likely to come soon; the gap they accept "
            "grows while they wait. Widen the rating gap then: it forbids all the same."
        ),
    )
    at_most: float = number(
        120.0,
        0,
        3600,
        unit="s",
        label=gettext_noop("at most"),
        help=gettext_noop("Whoever has waited for so long is not held back any more."),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Teams(Section):
    """Matches of more than two players."""

    name: ClassVar[str] = "teams"
    title: ClassVar[str] = gettext_noop("Teams")
    sentence: ClassVar[str] = gettext_noop(
        "How matches of more than two players are put together, and who needs which role."
    )

    spread_start: float = number(
        300,
        0,
        100_000,
        label=gettext_noop("spread at the start"),
        help=gettext_noop("Rating points between the strongest and the weakest ticket of a match."),
    )
    spread_per_second: float = added_per_second(5, 100_000)
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
class Maps(Section):
    """Maps that matches of this queue are played on."""

    name: ClassVar[str] = "maps"
    title: ClassVar[str] = gettext_noop("Maps and sides")
    sentence: ClassVar[str] = gettext_noop(
        "What is played on. Players who don't know a map count as weaker there. On "
        "ranked ladders the weaker team gets the better side; in normal mode sides "
        "are drawn by lot, so that they give nothing away."
    )

    names: str = text(
        "",
        4000,
        label=gettext_noop("maps"),
        help=gettext_noop(
            "One per line. A number after the name is what the first team's side is "
            "worth there, in rating points; without one it is estimated. Empty: the "
            "game chooses."
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
        help=gettext_noop("After this many games on a map nothing is deducted."),
    )

    def check_together(self) -> None:
        read_maps("names", self.names)


@dataclass(frozen=True, slots=True, kw_only=True)
class Buckets(Section):
    """Levels of buckets, for that strategy."""

    name: ClassVar[str] = "buckets"
    title: ClassVar[str] = "Buckets"  # translated with its context by the admin
    sentence: ClassVar[str] = gettext_noop(
        "What players have in common, from most to least. A search enters one level "
        "after another and stays in all of them."
    )

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
class Bootstrap(Section):
    """A new pool mixes evenly before it matches fairly."""

    name: ClassVar[str] = "bootstrap"
    title: ClassVar[str] = gettext_noop("A new pool")
    sentence: ClassVar[str] = gettext_noop(
        "While hardly anyone is established, ratings say little, so everyone should meet everyone."
    )

    until: int = whole(
        0,
        0,
        10_000,
        label=gettext_noop("until established"),
        help=gettext_noop(
            "Until this many players are established, everyone meets everyone, "
            "starting with those who haven't met yet. 0: never."
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Alerts(Section):
    """Players who want to know that somebody searches."""

    name: ClassVar[str] = "alerts"
    title: ClassVar[str] = gettext_noop("Alerts")
    sentence: ClassVar[str] = gettext_noop(
        "Players can have themselves told that somebody searches here. On ranked ladders they say how near; "
        "elsewhere they are told of anybody, since more would tell of ratings."
    )

    after: float = number(
        15.0,
        0,
        3600,
        unit="s",
        label=gettext_noop("seconds of waiting"),
        help=gettext_noop(
            "Of a search that has waited for so long, and found nobody, others are told."
        ),
    )
    again: float = number(
        120.0,
        0,
        3600,
        unit="s",
        label=gettext_noop("seconds until others are told"),
        help=gettext_noop(
            "As long as the search goes on, others are told of it again and again after so long. 0: once only."
        ),
    )
    pause: float = number(
        15.0,
        1,
        1440,
        unit="min",
        label=gettext_noop("minutes between two alerts"),
        help=gettext_noop("A player is told of this queue at most once in so many minutes."),
    )
    at_most: int = whole(
        50,
        0,
        1000,
        label=gettext_noop("players told at once"),
        help=gettext_noop(
            "So many are told of a search at once, those first who were not told for longest. 0: no alerts here."
        ),
    )
