"""Writing standings: changed ratings in, and the bucket counts with them, in statements over whole sets.

Callers hold the board's lock.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from django.db import connection

from leaderboards.boards.listing import Judgement, Rule, judge
from leaderboards.models import Board, HiddenAs
from ratings.systems import Ratings
from ratings.systems.arrays import Floats, Ints

__all__ = ["apply_ratings", "hide_due"]

CHUNK = 100_000
_INACTIVE = int(HiddenAs.INACTIVE)

_CHANGED = """
SELECT id, player_id, value, deviation, volatility, games, counted,
       extract(epoch FROM as_of)::float8, extract(epoch FROM last_played_at)::float8
FROM ratings_rating WHERE track_id = %(track)s AND revision > %(since)s AND revision <= %(upto)s
"""

# Counts move by what each standing was and is. New buckets are inserted apart from old ones that change: an upsert
# would check the negative numbers it only means to add.
_APPLY = """
WITH changed AS (
    SELECT rating_id, player_id, value, listed, hidden_as,
           CASE WHEN listed AND until < 'infinity' THEN to_timestamp(until) END AS listed_until,
           floor(value / %(width)s::float8)::int AS bucket
    FROM unnest(%(ids)s::bigint[], %(players)s::bigint[], %(values)s::float8[], %(listed)s::boolean[],
                %(until)s::float8[], %(hidden_as)s::smallint[])
        AS given (rating_id, player_id, value, listed, until, hidden_as)
), before AS (
    SELECT standing.listed, standing.hidden_as, floor(standing.order_value / %(width)s::float8)::int AS bucket
    FROM leaderboards_standing standing JOIN changed USING (rating_id)
), written AS (
    INSERT INTO leaderboards_standing AS standing
        (rating_id, track_id, player_id, order_value, listed, listed_until, hidden_as)
    SELECT rating_id, %(track)s, player_id, value, listed, listed_until, hidden_as FROM changed
    ON CONFLICT (rating_id) DO UPDATE
    SET order_value = excluded.order_value, listed = excluded.listed,
        listed_until = excluded.listed_until, hidden_as = excluded.hidden_as
    WHERE (standing.order_value, standing.listed, standing.listed_until, standing.hidden_as)
        IS DISTINCT FROM (excluded.order_value, excluded.listed, excluded.listed_until, excluded.hidden_as)
), moved AS (
    SELECT bucket, 1 AS sign, listed, hidden_as FROM changed
    UNION ALL
    SELECT bucket, -1, listed, hidden_as FROM before
), delta AS (
    SELECT bucket, sum(sign) AS total,
           coalesce(sum(sign) FILTER (WHERE listed), 0) AS listed,
           coalesce(sum(sign) FILTER (WHERE NOT listed AND hidden_as = %(inactive)s), 0) AS inactive
    FROM moved GROUP BY bucket
), recounted AS (
    UPDATE leaderboards_rankbucket present
    SET total = present.total + delta.total, listed = present.listed + delta.listed,
        inactive = present.inactive + delta.inactive
    FROM delta WHERE present.track_id = %(track)s AND present.bucket = delta.bucket
)
INSERT INTO leaderboards_rankbucket (track_id, bucket, total, listed, inactive)
SELECT %(track)s, delta.bucket, delta.total, delta.listed, delta.inactive FROM delta
WHERE NOT EXISTS (SELECT FROM leaderboards_rankbucket present
                  WHERE present.track_id = %(track)s AND present.bucket = delta.bucket)
"""

_HIDE_DUE = """
WITH due AS (
    SELECT rating_id FROM leaderboards_standing
    WHERE track_id = %(track)s AND listed_until <= %(now)s
    ORDER BY listed_until LIMIT %(most)s FOR UPDATE SKIP LOCKED
), hidden AS (
    UPDATE leaderboards_standing standing SET listed = false, listed_until = NULL
    FROM due WHERE standing.rating_id = due.rating_id
    RETURNING floor(standing.order_value / %(width)s::float8)::int AS bucket, standing.hidden_as
), delta AS (
    SELECT bucket, count(*) AS listed, count(*) FILTER (WHERE hidden_as = %(inactive)s) AS inactive
    FROM hidden GROUP BY bucket
), recounted AS (
    UPDATE leaderboards_rankbucket present
    SET listed = present.listed - delta.listed, inactive = present.inactive + delta.inactive
    FROM delta WHERE present.track_id = %(track)s AND present.bucket = delta.bucket
)
SELECT count(*) FROM hidden
"""


@dataclass(frozen=True, slots=True, eq=False)
class _Chunk:
    ids: Ints
    players: Ints
    ratings: Ratings
    as_of: Floats
    last_played: Floats


def apply_ratings(board: Board, rule: Rule, *, since: int, upto: int, now: datetime) -> int:
    """Bring standings and buckets up to the ratings with a revision after `since` up to `upto`; returns how many.

    A rating that a run changes meanwhile has a revision beyond `upto`: the next refresh takes it.
    """
    given = {"track": board.pk, "since": since, "upto": upto}
    return sum(_apply(board, rule, chunk, now) for chunk in _changed(given))


def hide_due(board: Board, *, now: datetime, most: int) -> int:
    """Hide standings whose time is over, at most so many; returns how many."""
    given = {"track": board.pk, "width": board.bucket_width, "inactive": _INACTIVE}
    with connection.cursor() as cursor:
        cursor.execute(_HIDE_DUE, {**given, "now": now, "most": most})
        hidden: tuple[int] = cursor.fetchone()
    return hidden[0]


def _changed(given: dict[str, int]) -> Iterator[_Chunk]:
    """Read changed ratings through a cursor of the server, so that a million of them need little memory."""
    with connection.chunked_cursor() as cursor:
        cursor.execute(_CHANGED, given)
        while rows := cursor.fetchmany(CHUNK):
            yield _to_chunk(rows)


def _to_chunk(rows: list[tuple[float | None, ...]]) -> _Chunk:
    ids, players, value, deviation, volatility, *rest = zip(*rows, strict=True)
    games, counted, as_of, last_played = rest
    return _Chunk(
        ids=np.array(ids, dtype=np.int64),
        players=np.array(players, dtype=np.int64),
        ratings=Ratings(
            value=np.array(value, dtype=np.float64),
            deviation=None if None in deviation else np.array(deviation, dtype=np.float64),
            volatility=None if None in volatility else np.array(volatility, dtype=np.float64),
            games=np.array(games, dtype=np.int64),
            counted=np.array(counted, dtype=np.int64),
        ),
        as_of=np.array(as_of, dtype=np.float64),
        last_played=np.array(last_played, dtype=np.float64),
    )


def _apply(board: Board, rule: Rule, chunk: _Chunk, now: datetime) -> int:
    judgement: Judgement = judge(
        rule,
        chunk.ratings,
        as_of=chunk.as_of,
        last_played=chunk.last_played,
        now=now.timestamp(),
    )
    given = {
        "track": board.pk,
        "width": board.bucket_width,
        "inactive": _INACTIVE,
        "ids": chunk.ids.tolist(),
        "players": chunk.players.tolist(),
        "values": chunk.ratings.value.tolist(),
        "listed": judgement.listed.tolist(),
        "until": judgement.until.tolist(),
        "hidden_as": judgement.hidden_as.tolist(),
    }
    with connection.cursor() as cursor:
        cursor.execute(_APPLY, given)
    return len(chunk.ids)
