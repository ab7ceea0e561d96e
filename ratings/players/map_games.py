"""How well players know maps: how often they played each.

Counted from each ladder's sequence, under its lock, as far as `Ladder.maps_counted_seq` says: a match is counted once,
however often a count is begun, and taken back when it is annulled. Reading them takes a few rows a player.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from django.db import connection, transaction
from django.db.models import F

from foundation.lease import hold_firmly
from foundation.locks import Lock
from ratings.models import Ladder, Match
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
_CHANGE_COUNT = """
UPDATE ratings_mapgames AS known SET games = known.games + %(by)s
FROM ratings_participant AS participant, ratings_ladder AS ladder
WHERE participant.match_id = %(match)s AND known.player_id = participant.player_id AND known.ladder_id = %(ladder)s
  AND known.map = %(map)s AND ladder.id = %(ladder)s AND ladder.maps_counted_seq >= %(seq)s::bigint
"""
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


def uncount_maps(match: Match) -> None:
    """Take an annulled match back where it is counted. Call it under the ladder's lock."""
    _change_count(match, -1)


def recount_maps(match: Match) -> None:
    """Count a match again that was annulled and no longer is. Call it under the ladder's lock."""
    _change_count(match, 1)


def _change_count(match: Match, by: int) -> None:
    given: dict[str, Any] = {"match": match.pk, "ladder": match.ladder_id, "map": match.map}
    with connection.cursor() as cursor:
        cursor.execute(_CHANGE_COUNT, {**given, "seq": match.ladder_seq, "by": by})
