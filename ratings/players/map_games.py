"""How well players know maps: how often they played each.

Counted from each ladder's sequence, under its lock, as far as `Ladder.maps_counted_seq` says: a match is counted once,
however often a count is begun, and taken back when it is annulled. Reading them takes a few rows a player.
"""

from collections.abc import Collection, Sequence

import numpy as np
from django.db import connection, transaction
from django.db.models import F

from foundation.postgresql.lease import hold_firmly
from foundation.postgresql.locks import Lock
from ratings.models import Ladder
from ratings.systems.arrays import Ints

__all__ = [
    "count_maps",
    "games_on_maps",
    "ladders_with_uncounted_maps",
    "recount_maps",
    "uncount_maps",
]

# Numbers in the sequence counted in one transaction, so that nobody waits long for the ladder's lock.
CHUNK = 20_000

_COUNT = """
INSERT INTO ratings_mapgames AS known (player_id, ladder_id, map, games)
SELECT participant.player_id, %(ladder)s, match.map, count(*)
FROM ratings_match AS match JOIN ratings_participant AS participant ON participant.match_id = match.id
WHERE match.ladder_id = %(ladder)s AND match.state = 'confirmed' AND match.map <> ''
  AND match.ladder_seq > %(after)s AND match.ladder_seq <= %(last)s
GROUP BY participant.player_id, match.map
ON CONFLICT (player_id, ladder_id, map) DO UPDATE SET games = known.games + excluded.games
"""
# What some matches are worth to counts that have come to them.
_WORTH = """
WITH worth AS (
    SELECT participant.player_id, match.ladder_id, match.map, count(*) AS games
    FROM ratings_match AS match JOIN ratings_ladder AS ladder ON ladder.id = match.ladder_id
    JOIN ratings_participant AS participant ON participant.match_id = match.id
    WHERE match.id = ANY(%(matches)s) AND match.map <> '' AND match.ladder_seq <= ladder.maps_counted_seq
    GROUP BY participant.player_id, match.ladder_id, match.map
)
"""
_TAKE_BACK = f"""
{_WORTH}
UPDATE ratings_mapgames AS known SET games = known.games - worth.games
FROM worth
WHERE known.player_id = worth.player_id AND known.ladder_id = worth.ladder_id AND known.map = worth.map
"""  # noqa: S608 - constants
# A match that was annulled before the count came to it has left no row.
_GIVE_BACK = f"""
{_WORTH}
INSERT INTO ratings_mapgames AS known (player_id, ladder_id, map, games)
SELECT player_id, ladder_id, map, games FROM worth
ON CONFLICT (player_id, ladder_id, map) DO UPDATE SET games = known.games + excluded.games
"""  # noqa: S608 - constants
# Looked up player by player, whatever the statistics of the table say.
_GAMES = """
SELECT wanted.ordinality, named.ordinality, sum(known.games)
FROM unnest(%(players)s::bigint[]) WITH ORDINALITY AS wanted (player, ordinality)
CROSS JOIN LATERAL (
    SELECT map, games FROM ratings_mapgames WHERE player_id = wanted.player OFFSET 0
) AS known
JOIN unnest(%(maps)s::text[]) WITH ORDINALITY AS named (map, ordinality) ON named.map = known.map
GROUP BY wanted.ordinality, named.ordinality
"""


def games_on_maps(player_ids: Sequence[int], maps: Sequence[str]) -> Ints:
    """Confirmed matches of each player on each map: int64, shape (players, maps), in the order given.

    On all ladders of the game, as far as they are counted. One query.
    """
    games = np.zeros((len(player_ids), len(maps)), dtype=np.int64)
    if not games.size:
        return games
    with connection.cursor() as cursor:
        cursor.execute(_GAMES, {"players": list(player_ids), "maps": list(maps)})
        found = np.array(cursor.fetchall(), dtype=np.int64).reshape(-1, 3)
    games[found[:, 0] - 1, found[:, 1] - 1] = found[:, 2]
    return games


def ladders_with_uncounted_maps() -> list[int]:
    """Ids of the ladders whose sequence has grown since their maps were counted."""
    grown = Ladder.objects.filter(last_seq__gt=F("maps_counted_seq"))
    return list(grown.order_by("pk").values_list("pk", flat=True))


def count_maps(ladder_id: int) -> None:
    """Count what has come to a ladder's sequence since the last time. Waits for the ladder's lock."""
    while True:
        with transaction.atomic():
            hold_firmly(Lock.LADDER, ladder_id)
            ladder = Ladder.objects.only("last_seq", "maps_counted_seq").get(pk=ladder_id)
            after = ladder.maps_counted_seq
            last = min(ladder.last_seq, after + CHUNK)
            if last == after:
                return
            with connection.cursor() as cursor:
                cursor.execute(_COUNT, {"ladder": ladder_id, "after": after, "last": last})
            Ladder.objects.filter(pk=ladder_id).update(maps_counted_seq=last)


def uncount_maps(match_ids: Collection[int]) -> None:
    """Take annulled matches back where they are counted. Call it under the locks of their ladders."""
    _change_counts(_TAKE_BACK, match_ids)


def recount_maps(match_ids: Collection[int]) -> None:
    """Count matches again that were annulled and no longer are. Call it under the locks of their ladders."""
    _change_counts(_GIVE_BACK, match_ids)


def _change_counts(statement: str, match_ids: Collection[int]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, {"matches": list(match_ids)})
