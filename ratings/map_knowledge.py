"""How well players know maps: how often they played each of late."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from django.db import connection

from ratings.systems.arrays import Ints

__all__ = ["LATEST", "games_on_maps"]

# A player's matches that are looked at: what was played before is forgotten, and looking stays cheap for those who
# have played ten thousand.
LATEST = 100

# A player's latest matches by the index of participations, newest first; each match by its key.
_COUNTS = """
SELECT wanted.place, named.place, count(*)
FROM unnest(%(players)s::bigint[]) WITH ORDINALITY AS wanted (player, place)
CROSS JOIN LATERAL (
    SELECT seat.match_id FROM ratings_participant AS seat
    WHERE seat.player_id = wanted.player ORDER BY seat.match_id DESC LIMIT %(latest)s
) AS seat
JOIN ratings_match AS match ON match.id = seat.match_id AND match.state = 'confirmed'
JOIN unnest(%(maps)s::text[]) WITH ORDINALITY AS named (map, place) ON named.map = match.map
GROUP BY wanted.place, named.place
"""


def games_on_maps(player_ids: Sequence[int], maps: Sequence[str], *, latest: int = LATEST) -> Ints:
    """Confirmed matches of each player on each map: int64, shape (players, maps), in the order given.

    Of each player's `latest` matches only, on all ladders of the game. One query.
    """
    counts = np.zeros((len(player_ids), len(maps)), dtype=np.int64)
    if not counts.size:
        return counts
    given: dict[str, Any] = {"players": list(player_ids), "maps": list(maps), "latest": latest}
    with connection.cursor() as cursor:
        cursor.execute(_COUNTS, given)
        found = np.array(cursor.fetchall(), dtype=np.int64).reshape(-1, 3)
    counts[found[:, 0] - 1, found[:, 1] - 1] = found[:, 2]
    return counts
