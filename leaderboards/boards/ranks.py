"""Ranks: how many rows of a board come before one, and which row stands at a position, by sums over its buckets.

All take boards that `Board.objects.public()` gave. Counting is never done over the standings of the whole
board, only within one bucket.
"""

import math
from dataclasses import dataclass

from django.core.exceptions import EmptyResultSet
from django.db import connection

from leaderboards.models import Board
from leaderboards.models.boards import BoardQuerySet

__all__ = ["PlayerRank", "RowsBefore", "Start", "find_start", "ranks_of_player", "rows_before"]


@dataclass(frozen=True, slots=True)
class RowsBefore:
    """How many come before a row: `better` have more points, `ahead` also counts equals shown before it.

    The last two count the listed ones only.
    """

    better: int
    ahead: int
    listed_better: int
    listed_ahead: int


@dataclass(frozen=True, slots=True)
class Start:
    """Where to begin to read so as to meet a position: below `under`, leaving `skip` rows out."""

    under: float
    skip: int


@dataclass(frozen=True, slots=True)
class PlayerRank:
    """A player's rank among the `listed` players of a board; `rank` is None where the player is not one of them."""

    rank: int | None = None
    listed: int = 0


_BEFORE_LISTED = """
SELECT above.listed + inside.better, above.listed + inside.ahead
FROM (SELECT coalesce(sum(listed), 0)::bigint AS listed
      FROM leaderboards_rankbucket WHERE track_id = %(track)s AND bucket > %(bucket)s) above,
     (SELECT count(*) FILTER (WHERE order_value > %(value)s) AS better,
             count(*) FILTER (WHERE order_value > %(value)s OR player_id < %(player)s) AS ahead
      FROM leaderboards_standing
      WHERE track_id = %(track)s AND listed AND order_value >= %(value)s AND order_value < %(top)s) inside
"""

_BEFORE_EVERYONE = """
SELECT above.everyone + inside.better, above.everyone + inside.ahead,
       above.listed + inside.listed_better, above.listed + inside.listed_ahead
FROM (SELECT coalesce(sum(listed), 0)::bigint AS listed, coalesce(sum(total), 0)::bigint AS everyone
      FROM leaderboards_rankbucket WHERE track_id = %(track)s AND bucket > %(bucket)s) above,
     (SELECT count(*) FILTER (WHERE is_better) AS better,
             count(*) AS ahead,
             count(*) FILTER (WHERE is_better AND listed) AS listed_better,
             count(*) FILTER (WHERE listed) AS listed_ahead
      FROM (SELECT listed, order_value > %(value)s AS is_better
            FROM leaderboards_standing
            WHERE track_id = %(track)s AND order_value >= %(value)s AND order_value < %(top)s
              AND (order_value > %(value)s OR player_id < %(player)s)) before) inside
"""

_RANKS_OF_PLAYER = """
SELECT board.track_id, buckets.listed, CASE WHEN standing.listed THEN 1 + buckets.above + inside.better END
FROM leaderboards_board board
LEFT JOIN leaderboards_standing standing
    ON standing.track_id = board.track_id AND standing.player_id = %s
CROSS JOIN LATERAL (SELECT floor(standing.order_value / board.bucket_width) AS number) own
CROSS JOIN LATERAL
    (SELECT coalesce(sum(listed), 0)::bigint AS listed,
            coalesce(sum(listed) FILTER (WHERE bucket > own.number), 0)::bigint AS above
     FROM leaderboards_rankbucket WHERE track_id = board.track_id) buckets
CROSS JOIN LATERAL
    (SELECT count(*) AS better
     FROM leaderboards_standing other
     WHERE other.track_id = board.track_id AND other.listed AND other.order_value > standing.order_value
       AND other.order_value < (own.number + 1) * board.bucket_width) inside
WHERE board.track_id IN ({boards})
"""

_START = """
SELECT bucket, above
FROM (SELECT bucket, counted, sum(counted) OVER (ORDER BY bucket DESC) - counted AS above
      FROM (SELECT bucket, CASE WHEN %(everyone)s THEN total ELSE listed END AS counted
            FROM leaderboards_rankbucket WHERE track_id = %(track)s) counts) sums
WHERE above < %(position)s AND above + counted >= %(position)s
"""


def rows_before(board: Board, value: float, player_id: int, *, everyone: bool) -> RowsBefore:
    """Count who comes before a row with this value and player. One query."""
    bucket = math.floor(value / board.bucket_width)
    given = {
        "track": board.pk,
        "bucket": bucket,
        "top": (bucket + 1) * board.bucket_width,
        "value": value,
        "player": player_id,
    }
    with connection.cursor() as cursor:
        cursor.execute(_BEFORE_EVERYONE if everyone else _BEFORE_LISTED, given)
        counted: tuple[int, ...] = cursor.fetchone()
    better, ahead = counted[:2]
    return RowsBefore(better, ahead, *(counted[2:] or (better, ahead)))


def ranks_of_player(boards: BoardQuerySet, player_id: int) -> dict[int, PlayerRank]:
    """A player's rank on each of these boards that is there, by track. One query."""
    try:
        chosen, given = boards.order_by().values("pk").query.sql_with_params()
    except EmptyResultSet:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(_RANKS_OF_PLAYER.format(boards=chosen), [player_id, *given])
        return {track: PlayerRank(rank, listed) for track, listed, rank in cursor.fetchall()}


def find_start(board: Board, position: int, *, everyone: bool) -> Start | None:
    """Find the bucket that holds the row at `position` (from 1); None when the board is shorter. One query."""
    given = {"track": board.pk, "position": position, "everyone": everyone}
    with connection.cursor() as cursor:
        cursor.execute(_START, given)
        found: tuple[int, int] | None = cursor.fetchone()
    if found is None:
        return None
    bucket, above = found
    return Start(under=(bucket + 1) * board.bucket_width, skip=position - int(above) - 1)
