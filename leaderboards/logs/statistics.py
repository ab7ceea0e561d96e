"""What players did in all their matches on game servers together: of a game, of one server, of one player.

From what was counted when each match was over, a row for each player and match, pair and weapon: a server of a million
frags is some ten thousand of them. Frags of and on guests are in none, nor is what suspended players do.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection

from leaderboards.logs.selection import OVER, Selection
from ratings.models import Player

__all__ = [
    "ENOUGH_FRAGS",
    "ENOUGH_MINUTES",
    "MOST_NAMED",
    "ORDERS",
    "Counts",
    "MapGames",
    "PlayerCounts",
    "Statistics",
    "WeaponFrags",
    "statistics_of",
]

# Shares of less say nothing: who has fewer frags and deaths together, or fewer minutes, stands behind the others.
ENOUGH_FRAGS = 20
ENOUGH_MINUTES = 10
# Weapons and maps that are named.
MOST_NAMED = 12
# By which figure players are ordered, in SQL.
ORDERS = {
    "frags": "frags DESC, deaths",
    "ratio": "(frags + deaths >= %(enough_frags)s) DESC, frags::float8 / greatest(deaths, 1) DESC",
    "per_hour": "(minutes >= %(enough_minutes)s) DESC, CASE WHEN minutes > 0 THEN frags / minutes ELSE 0 END DESC",
    "minutes": "minutes DESC",
}
_COUNTED = f"""
WITH {OVER}, counted AS MATERIALIZED (
    SELECT over.id AS match, over.map, participant.player_id AS player, coalesce(tally.frags, 0) AS frags,
           coalesce(tally.deaths, 0) AS deaths, coalesce(tally.suicides, 0) AS suicides,
           coalesce(participant.minutes, 0) AS minutes
    FROM over JOIN ratings_participant AS participant ON participant.match_id = over.id
    LEFT JOIN ratings_logtally AS tally
        ON tally.match_id = over.id AND tally.player_id = participant.player_id
        AND tally.track_id = ANY(%(tracks)s::bigint[])
), of_player AS (
    SELECT player, count(*)::int8 AS matches, sum(frags)::int8 AS frags, sum(deaths)::int8 AS deaths,
           sum(suicides)::int8 AS suicides, sum(minutes)::float8 AS minutes
    FROM counted GROUP BY player
), best AS (
    SELECT * FROM of_player ORDER BY {{order}}, player LIMIT %(most)s
), total AS (
    SELECT (SELECT count(*) FROM over)::int8 AS matches, count(*)::int8 AS players,
           coalesce(sum(frags), 0)::int8 AS frags, coalesce(sum(deaths), 0)::int8 AS deaths,
           coalesce(sum(suicides), 0)::int8 AS suicides, coalesce(sum(minutes), 0)::float8 AS minutes
    FROM of_player
), of_map AS (
    SELECT map, count(DISTINCT match)::int8 AS matches, sum(frags)::int8 AS frags
    FROM counted WHERE map <> '' GROUP BY map ORDER BY matches DESC, map LIMIT %(named)s
)
SELECT (SELECT json_build_array(matches, frags, deaths, suicides, minutes, players) FROM total),
       (SELECT json_agg(json_build_array(player, matches, frags, deaths, suicides, minutes)) FROM best),
       (SELECT json_agg(json_build_array(map, matches, frags) ORDER BY matches DESC, map) FROM of_map)
"""  # noqa: S608 - constants
_WEAPONS = f"""
WITH {OVER}
SELECT used.weapon, sum(used.frags)::int8 AS frags
FROM over JOIN ratings_logweapon AS used ON used.log_id = over.id
WHERE used.weapon <> '' GROUP BY used.weapon ORDER BY frags DESC, used.weapon LIMIT %(named)s
"""  # noqa: S608 - constants


@dataclass(frozen=True, slots=True)
class Counts:
    """What somebody, or everybody, did in so many matches."""

    matches: int
    frags: int
    deaths: int
    suicides: int
    minutes: float

    @property
    def ratio(self) -> float:
        """Frags for each death; who was never fragged counts as fragged once."""
        return self.frags / max(self.deaths, 1)

    @property
    def per_hour(self) -> float | None:
        """Frags in an hour of play; None where no time is known."""
        return self.frags * 60 / self.minutes if self.minutes > 0 else None

    @classmethod
    def together(cls, of: Iterable["Counts"]) -> "Counts":
        """All of them added up."""
        rows = [(it.matches, it.frags, it.deaths, it.suicides, it.minutes) for it in of]
        matches, frags, deaths, suicides, minutes = map(sum, zip(*rows, strict=True))
        return cls(int(matches), int(frags), int(deaths), int(suicides), minutes)


@dataclass(frozen=True, slots=True)
class PlayerCounts:
    """One player, and what it did."""

    player: Player
    counts: Counts


@dataclass(frozen=True, slots=True)
class WeaponFrags:
    """How many frags were made with a weapon."""

    name: str
    frags: int


@dataclass(frozen=True, slots=True)
class MapGames:
    """How many matches were played on a map, and what was fragged there."""

    name: str
    matches: int
    frags: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """Of a game or a server: all together, the best players, weapons and maps, most of them first.

    players  how many there are, of whom `best` are the first
    """

    total: Counts
    players: int
    best: Sequence[PlayerCounts]
    weapons: Sequence[WeaponFrags]
    maps: Sequence[MapGames]


def statistics_of(
    selection: Selection, *, now: datetime, order: str = "frags", most: int = 50
) -> Statistics:
    """Count what was selected; players ordered by one of `ORDERS`, and at most so many of them. Three queries."""
    given: dict[str, Any] = {
        **selection.values(now),
        "most": most,
        "named": MOST_NAMED,
        "enough_frags": ENOUGH_FRAGS,
        "enough_minutes": ENOUGH_MINUTES,
    }
    with connection.cursor() as cursor:
        cursor.execute(_COUNTED.format(order=ORDERS[order]), given)
        (*total, players), best, maps = cursor.fetchone()
        cursor.execute(_WEAPONS, given)
        weapons = cursor.fetchall()
    rows = best or []
    people = Player.objects.in_bulk([pk for pk, *_counts in rows]) if rows else {}
    return Statistics(
        total=Counts(*total),
        players=players,
        best=[PlayerCounts(people[pk], Counts(*counts)) for pk, *counts in rows],
        weapons=[WeaponFrags(*row) for row in weapons],
        maps=[MapGames(*row) for row in maps or []],
    )
