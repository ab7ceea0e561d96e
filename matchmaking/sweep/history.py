"""Past matches, avoid lists, blocks and conduct of the players who wait, and how well they know the maps.

Looked up player by player, whatever the statistics of the tables say.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

import numpy as np
from django.db import connection

from foundation.postgresql.bulk import Column, fetch_columns, moment, real, to_micros, whole
from matchmaking.kept_apart import ARE_ANY, away_from
from matchmaking.pairing.conditions.conduct_like import ConductLike
from matchmaking.pairing.conditions.tied import Avoid, Rematch, RematchSection
from matchmaking.pairing.plan import Plan
from matchmaking.pairing.settings import Settings
from matchmaking.pairing.tickets import Members, Ties
from ratings.players.map_games import games_on_maps
from ratings.systems.arrays import Floats, Ints

__all__ = ["read_conduct", "read_map_points", "read_ties"]

# Most sites have no row of one or the other: then nobody is looked up.
_KNOWN = f"""
SELECT {ARE_ANY},
       EXISTS (SELECT FROM matchmaking_conduct WHERE score > 0)
    OR EXISTS (SELECT FROM matchmaking_conductstanding WHERE score > 0)
"""  # noqa: S608 - constants
_PLAYERS = "unnest(%(players)s::bigint[]) WITH ORDINALITY AS waiting (player, member)"
_AVOIDED = f"""
{_PLAYERS} CROSS JOIN LATERAL ({away_from("waiting.player")} OFFSET 0) AS list
"""
_CONDUCT = f"""
{_PLAYERS} CROSS JOIN LATERAL (
    SELECT score, as_of FROM matchmaking_conduct WHERE player_id = waiting.player AND score > 0
    UNION ALL
    SELECT score, as_of FROM matchmaking_conductstanding WHERE player_id = waiting.player AND score > 0
) AS conduct
"""  # noqa: S608
# Against whom somebody played last. A match that was broken off was none.
_MET = f"""
{_PLAYERS} CROSS JOIN LATERAL (
    SELECT match_id, team FROM ratings_participant WHERE player_id = waiting.player ORDER BY match_id DESC LIMIT 1
) AS own
CROSS JOIN LATERAL (
    SELECT coalesce(ended_at, played_at) AS at FROM ratings_match
    WHERE id = own.match_id AND state <> 'aborted' AND coalesce(ended_at, played_at) > %(since)s OFFSET 0
) AS match
CROSS JOIN LATERAL (
    SELECT player_id FROM ratings_participant WHERE match_id = own.match_id AND team <> own.team OFFSET 0
) AS opponent
"""  # noqa: S608
_MINUTE = 60 * 1_000_000
_DAY = 24 * 60 * _MINUTE


def read_ties(settings: Settings, members: Members, now: datetime) -> dict[str, Ties]:
    """Block lists (`avoided`) and latest matches (`met`) between tickets, where the queue looks at them."""
    ties = {}
    if settings.uses(Avoid) and _is_known(0):
        columns = {"member": whole("waiting.member"), "other": whole("list.other")}
        found = fetch_columns(columns, _AVOIDED, {"players": members.player.tolist()})
        ties["avoided"] = _ties(members, found, np.ones(len(found["member"])))
    minutes = settings.section(RematchSection).minutes
    if settings.uses(Rematch) and minutes:
        # What is left of the time in which two who have just met do not meet again: 1 at once, 0 in the end.
        given = {"players": members.player.tolist(), "since": now - timedelta(minutes=minutes)}
        columns = {
            "member": whole("waiting.member"),
            "other": whole("opponent.player_id"),
            "at": moment("match.at"),
        }
        found = fetch_columns(columns, _MET, given)
        past = (to_micros(now) - found["at"]) / (minutes * _MINUTE)
        ties["met"] = _ties(members, found, np.clip(1 - past, 0.0, 1.0))
    return ties


def read_conduct(plan: Plan, members: Members, now: datetime) -> dict[str, Column]:
    """The conduct score of each ticket by now: the highest of its players'.

    What an operator has given and what offences come to add up.
    """
    if not plan.settings.uses(ConductLike) or not _is_known(1):
        return {}
    columns = {
        "member": whole("waiting.member"),
        "score": real("conduct.score"),
        "as_of": moment("conduct.as_of"),
    }
    found = fetch_columns(columns, _CONDUCT, {"players": members.player.tolist()})
    halves = np.maximum(to_micros(now) - found["as_of"], 0) / _DAY / plan.conduct_fades_in
    own = np.zeros(len(members))
    np.add.at(own, found["member"] - 1, found["score"] * 0.5**halves)
    score = np.zeros(int(members.ticket[-1]) + 1 if len(members) else 0)
    np.maximum.at(score, members.ticket, own)
    return {"conduct": score}


def read_map_points(settings: Settings, members: Members) -> dict[str, Column]:
    """Rating points to take off each ticket on each map, (n, maps): the mean of its players'."""
    maps, names = settings.maps, [one.name for one in settings.game_maps]
    if not maps.newcomer_points or not names or not len(members):
        return {}
    games = games_on_maps(members.player.tolist(), names)
    missing = np.maximum(1 - games / maps.known_after, 0.0) * maps.newcomer_points
    points: Floats = np.add.reduceat(missing, members.starts[:-1], axis=0)
    return {"map_points": points / members.sizes[:, np.newaxis]}


def _is_known(column: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(_KNOWN)
        return bool(cursor.fetchone()[column])


def _ties(members: Members, found: Mapping[str, Ints], value: Floats) -> Ties:
    """Ties between tickets, from rows of two players; without players who do not wait, or share a ticket."""
    order = np.argsort(members.player)
    at = np.searchsorted(members.player, found["other"], sorter=order)
    other = order.take(at, mode="clip") if len(members) else at
    waits = members.player[other] == found["other"]
    one, two = members.ticket[found["member"][waits] - 1], members.ticket[other[waits]]
    differ = one != two
    return Ties(one=one[differ], other=two[differ], value=value[waits][differ])
