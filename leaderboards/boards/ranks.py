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

__all__ = ["Found", "PlayerRank", "RowsBefore", "find_position", "ranks_of_player", "rows_before"]


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
class Found:
    """A row that was looked for by its position: its points and player, and how many come before it."""

    value: float
    player_id: int
    before: RowsBefore


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

# The bucket that holds a position is found in two steps: sums over 64 buckets each say among which it is (a running sum
# over all buckets of a long board took twice as long), then those 64 are added up from the top. Sums of int are bigint,
# those of bigint decimals, which are slow. Within the bucket rows are counted by the index alone, before anything is
# read of them. In a bucket without any row left nothing is found.
_AT_POSITION = """
WITH part AS MATERIALIZED (
    SELECT number, total_above, listed_above
    FROM (SELECT number, {counted}, sum(total) OVER above - total AS total_above,
                 sum(listed) OVER above - listed AS listed_above
          FROM (SELECT bucket >> 6 AS number, sum(total::int)::int AS total, sum(listed::int)::int AS listed
                FROM leaderboards_rankbucket WHERE track_id = %(track)s GROUP BY 1) parts
          WINDOW above AS (ORDER BY number DESC ROWS UNBOUNDED PRECEDING)) sums
    WHERE {counted}_above + {counted} >= %(position)s ORDER BY number DESC LIMIT 1
), start AS MATERIALIZED (
    SELECT (bucket + 1) * %(width)s::float8 AS under, {counted}_above AS above, listed_above
    FROM (SELECT bucket, {counted}, part.total_above + sum(total) OVER above - total AS total_above,
                 part.listed_above + sum(listed) OVER above - listed AS listed_above
          FROM part CROSS JOIN LATERAL
              (SELECT bucket, total::int, listed::int FROM leaderboards_rankbucket
               WHERE track_id = %(track)s AND bucket >= part.number << 6 AND bucket < (part.number + 1) << 6) counts
          WINDOW above AS (ORDER BY bucket DESC ROWS UNBOUNDED PRECEDING)) sums
    WHERE {counted}_above + {counted} >= %(position)s ORDER BY bucket DESC LIMIT 1
)
SELECT top.order_value, top.player_id, start.above + inside.better, start.listed_above + inside.listed_better,
       start.listed_above + inside.listed_ahead
FROM start CROSS JOIN LATERAL
    (SELECT order_value, player_id FROM leaderboards_standing
     WHERE track_id = %(track)s AND {shown} AND order_value < start.under
     ORDER BY order_value DESC, player_id OFFSET %(position)s - 1 - start.above LIMIT 1) top
CROSS JOIN LATERAL
    (SELECT count(*) FILTER (WHERE order_value > top.order_value) AS better,
            count(*) FILTER (WHERE listed AND order_value > top.order_value) AS listed_better,
            count(*) FILTER (WHERE listed AND (order_value > top.order_value OR player_id < top.player_id))
                AS listed_ahead
     FROM leaderboards_standing
     WHERE track_id = %(track)s AND {shown} AND order_value >= top.order_value AND order_value < start.under) inside
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


def find_position(board: Board, position: int, *, everyone: bool) -> Found | None:
    """Find the row at `position` (from 1), and count who comes before it; None when the board is shorter. One query."""
    given = {"track": board.pk, "position": position, "width": board.bucket_width}
    counted, shown = ("total", "true") if everyone else ("listed", "listed")
    with connection.cursor() as cursor:
        cursor.execute(_AT_POSITION.format(counted=counted, shown=shown), given)
        found: tuple[float, int, int, int, int] | None = cursor.fetchone()
    if found is None:
        return None
    value, player_id, better, listed_better, listed_ahead = found
    return Found(value, player_id, RowsBefore(better, position - 1, listed_better, listed_ahead))
