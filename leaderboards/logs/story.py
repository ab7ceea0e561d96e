"""The course of a match that a server tells: who fragged whom, streaks, the first frag, weapons. One query."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import connection

from ratings.logs.told import KINDS, told
from ratings.models import MatchLog

__all__ = ["MOST_EVENTS", "FirstFrag", "Story", "Streak", "Weapon", "story_of"]

# Of a match that goes on and on its latest events are looked at: so many take a fifth of a second.
MOST_EVENTS = 20_000
_MOST_WEAPONS = 12
_STORY = f"""
WITH {
    told(
        "event.log_id = %(log)s AND event.number <= %(last)s"
        " AND (event.number > %(after)s OR event.kind IN (%(join)s, %(leave)s))"
    )
}, frag AS (
    SELECT * FROM told WHERE act = %(frag)s AND counts AND number > %(after)s
), death AS (
    SELECT number, victim AS player FROM told
    WHERE act IN (%(frag)s, %(team_kill)s) AND victim IS NOT NULL AND number > %(after)s
    UNION ALL
    SELECT number, coalesce(victim, player) FROM told
    WHERE act = %(suicide)s AND coalesce(victim, player) IS NOT NULL AND number > %(after)s
), step AS (
    SELECT number, player, 1 AS frags, 0 AS deaths FROM frag
    UNION ALL
    SELECT number, player, 0, 1 FROM death
), life AS (
    SELECT player, number, frags, sum(deaths) OVER (PARTITION BY player ORDER BY number) AS life FROM step
), run AS (
    SELECT player, sum(frags) AS frags, min(number) FILTER (WHERE frags = 1) AS first
    FROM life GROUP BY player, life
), streak AS (
    SELECT DISTINCT ON (player) player, frags, first FROM run WHERE frags > 0 ORDER BY player, frags DESC, first
), last_move AS (
    SELECT DISTINCT ON (player) player, kind FROM told
    WHERE kind IN (%(join)s, %(leave)s) AND player IS NOT NULL ORDER BY player, number DESC
)
SELECT
    (SELECT min(at) FROM told),
    (SELECT json_agg(json_build_array(player, victim, number)) FROM (
        SELECT player, victim, count(*) AS number FROM frag GROUP BY player, victim
     ) AS pair),
    (SELECT json_agg(json_build_array(player, frags) ORDER BY frags DESC, first) FROM streak),
    (SELECT json_agg(json_build_array(weapon, number) ORDER BY number DESC, weapon) FROM (
        SELECT detail AS weapon, count(*) AS number FROM frag WHERE detail <> '' GROUP BY detail
        ORDER BY number DESC, weapon LIMIT %(weapons)s
     ) AS used),
    (SELECT json_build_array(player, victim, detail, at) FROM frag ORDER BY number LIMIT 1),
    (SELECT json_agg(name ORDER BY name) FROM (
        SELECT guest AS name FROM told WHERE guest <> '' UNION SELECT guest_victim FROM told WHERE guest_victim <> ''
     ) AS guests),
    (SELECT json_agg(player) FROM last_move WHERE kind = %(leave)s)
"""  # noqa: S608 - constants


@dataclass(frozen=True, slots=True)
class Streak:
    """The longest run of a player's frags without dying."""

    player: int
    frags: int


@dataclass(frozen=True, slots=True)
class Weapon:
    """How many frags were made with one."""

    name: str
    frags: int


@dataclass(frozen=True, slots=True)
class FirstFrag:
    """Who made the first, of whom, with what (may be empty), and when."""

    player: int
    victim: int
    weapon: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Story:
    """What counted of a match so far. Players by their ids.

    began    when the first of its events happened; None before there is one
    frags    by who made them and of whom, each pair with its number
    streaks  the longest first
    guests   names of those who took part without being rated
    gone     players who have left, and not come back
    is_cut   only the latest `MOST_EVENTS` events are in it
    """

    began: datetime | None
    frags: Mapping[int, Mapping[int, int]]
    streaks: Sequence[Streak]
    weapons: Sequence[Weapon]
    first: FirstFrag | None
    guests: Sequence[str]
    gone: frozenset[int]
    is_cut: bool


def story_of(log: MatchLog) -> Story:
    """Count what a log tells, up to where no event is waited for."""
    after = max(0, log.complete_to - MOST_EVENTS)
    given = {
        **KINDS,
        "log": log.match_id,
        "last": log.complete_to,
        "after": after,
        "weapons": _MOST_WEAPONS,
    }
    with connection.cursor() as cursor:
        cursor.execute(_STORY, given)
        began, pairs, streaks, weapons, first, guests, gone = cursor.fetchone()
    frags: dict[int, dict[int, int]] = defaultdict(dict)
    for player, victim, number in pairs or ():
        frags[player][victim] = number
    return Story(
        began=began,
        frags=dict(frags),
        streaks=[Streak(*row) for row in streaks or ()],
        weapons=[Weapon(*row) for row in weapons or ()],
        first=_first(first) if first and not after else None,
        guests=guests or (),
        gone=frozenset(gone or ()),
        is_cut=after > 0,
    )


def _first(row: tuple[int, int, str, str]) -> FirstFrag:
    player, victim, weapon, at = row
    return FirstFrag(player, victim, weapon, datetime.fromisoformat(at))
