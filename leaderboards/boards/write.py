"""Writing standings, in statements over whole sets: changed ratings in, with the bucket counts; and compared with what
they were, from which rank movement and points are counted.

A track with periods is compared when a period has closed, one that rates at once every day. Callers hold the board's
lock.
"""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any

import numpy as np
from django.db import connection

from foundation import clock
from leaderboards.boards.listing import ListingRule, judge, order_values, to_arrays
from leaderboards.models import Board, HiddenAs
from ratings.models import RatingTrack
from ratings.sanctions import HIDDEN_NOW
from ratings.tracks.periods import calendar_of

__all__ = [
    "DAILY",
    "apply_ratings",
    "apply_ratings_of",
    "compare",
    "compare_by_ledger",
    "hide_due",
    "is_comparison_due",
    "leave_out",
]

CHUNK = 100_000
_INACTIVE = int(HiddenAs.INACTIVE)

# To be formatted with which. Whom operators have hidden, or merged into another, has no standing.
_RATINGS = f"""
SELECT id, player_id, value, deviation, volatility, games, counted,
       extract(epoch FROM as_of)::float8, extract(epoch FROM last_played_at)::float8
FROM ratings_rating AS rating WHERE track_id = %(track)s AND {{which}} AND NOT EXISTS (
    SELECT FROM ratings_sanction AS sanction WHERE sanction.player_id = rating.player_id AND {HIDDEN_NOW}
) AND NOT EXISTS (
    SELECT FROM ratings_player AS merged WHERE merged.id = rating.player_id AND merged.merged_into_id IS NOT NULL
)
"""  # noqa: S608 - constants
_CHANGED = _RATINGS.format(which="revision > %(since)s AND revision <= %(upto)s")
_OF_PLAYERS = _RATINGS.format(which="player_id = ANY(%(players)s)")

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

_LEAVE_OUT = f"""
WITH gone AS (
    DELETE FROM leaderboards_standing AS standing
    WHERE standing.track_id = %(track)s AND standing.player_id IN (
        SELECT sanction.player_id FROM ratings_sanction AS sanction WHERE {HIDDEN_NOW}
        UNION ALL
        SELECT merged.id FROM ratings_player AS merged WHERE merged.merged_into_id IS NOT NULL
    )
    RETURNING floor(standing.order_value / %(width)s::float8)::int AS bucket, standing.listed, standing.hidden_as
), delta AS (
    SELECT bucket, count(*) AS total, count(*) FILTER (WHERE listed) AS listed,
           count(*) FILTER (WHERE NOT listed AND hidden_as = %(inactive)s) AS inactive
    FROM gone GROUP BY bucket
)
UPDATE leaderboards_rankbucket present
SET total = present.total - delta.total, listed = present.listed - delta.listed,
    inactive = present.inactive - delta.inactive
FROM delta WHERE present.track_id = %(track)s AND present.bucket = delta.bucket
"""  # noqa: S608 - constants

DAILY = timedelta(days=1)

_COMPARE = """
UPDATE leaderboards_standing standing
SET previous_rank = prior.rank, previous_value = prior.value
FROM (SELECT rating_id, order_value AS value,
             CASE WHEN listed THEN rank() OVER (PARTITION BY listed ORDER BY order_value DESC) END AS rank
      FROM leaderboards_standing WHERE track_id = %(track)s) prior
WHERE standing.rating_id = prior.rating_id
  AND (standing.previous_rank, standing.previous_value) IS DISTINCT FROM (prior.rank, prior.value)
"""

# Several periods were closed at once: there never was a board between them. The ledger says what the ratings were
# before the last one, and those listed now who were rated then are ranked by that.
_COMPARE_BY_LEDGER = """
UPDATE leaderboards_standing standing
SET previous_rank = prior.rank, previous_value = prior.value
FROM (SELECT rating_id, value,
             CASE WHEN listed AND value IS NOT NULL
                  THEN rank() OVER (PARTITION BY listed, value IS NULL ORDER BY value DESC) END AS rank
      FROM (SELECT standing.rating_id, standing.listed,
                   CASE WHEN change.id IS NULL THEN standing.order_value
                        WHEN rating.games > change.games THEN
                            change.value_before - %(deviations)s::float8 * coalesce(change.deviation_before, 0)
                        END AS value
            FROM leaderboards_standing standing
            JOIN ratings_rating rating ON rating.id = standing.rating_id
            LEFT JOIN ratings_ratingchange change
                ON change.track_id = %(track)s AND change.player_id = standing.player_id
                AND change.period_id = (SELECT id FROM ratings_ratingperiod
                                        WHERE track_id = %(track)s AND number = %(number)s)
            WHERE standing.track_id = %(track)s) before) prior
WHERE standing.rating_id = prior.rating_id
"""


def apply_ratings(board: Board, rule: ListingRule, *, since: int, upto: int, now: datetime) -> int:
    """Bring standings and buckets up to the ratings with a revision after `since` up to `upto`; returns how many.

    A rating that a run changes meanwhile has a revision beyond `upto`: the next refresh takes it.
    """
    return _apply(board, rule, _CHANGED, {"since": since, "upto": upto}, now)


def apply_ratings_of(
    board: Board, rule: ListingRule, player_ids: Collection[int], *, now: datetime
) -> int:
    """The same for the ratings of these players, whatever their revision."""
    return _apply(board, rule, _OF_PLAYERS, {"players": list(player_ids)}, now)


def leave_out(board: Board) -> None:
    """Take from the board, and from its counts, whom operators have hidden, or merged into others."""
    given = {"track": board.pk, "width": board.bucket_width, "inactive": _INACTIVE}
    with connection.cursor() as cursor:
        cursor.execute(_LEAVE_OUT, {**given, "at": clock.replaced()})


def _apply(
    board: Board, rule: ListingRule, which: str, given_by_which: Mapping[str, Any], now: datetime
) -> int:
    written = 0
    # Through a cursor of the server, so that a million of them need little memory.
    with connection.chunked_cursor() as cursor:
        cursor.execute(which, {"track": board.pk, "at": clock.replaced(), **given_by_which})
        while rows := cursor.fetchmany(CHUNK):
            ids, players, *columns, as_of, last_played = zip(*rows, strict=True)
            ratings = to_arrays(*columns)
            judgement = judge(
                rule,
                ratings,
                as_of=np.array(as_of, dtype=np.float64),
                last_played=np.array(last_played, dtype=np.float64),
                now=now.timestamp(),
            )
            given = {
                "track": board.pk,
                "width": board.bucket_width,
                "inactive": _INACTIVE,
                "ids": list(ids),
                "players": list(players),
                "values": order_values(rule, ratings).tolist(),
                "listed": judgement.listed.tolist(),
                "until": judgement.until.tolist(),
                "hidden_as": judgement.hidden_as.tolist(),
            }
            with connection.cursor() as writer:
                writer.execute(_APPLY, given)
            written += len(ids)
    return written


def hide_due(board: Board, *, now: datetime, most: int) -> int:
    """Hide standings whose time is over, at most so many; returns how many."""
    given = {"track": board.pk, "width": board.bucket_width, "inactive": _INACTIVE}
    with connection.cursor() as cursor:
        cursor.execute(_HIDE_DUE, {**given, "now": now, "most": most})
        hidden: tuple[int] = cursor.fetchone()
    return hidden[0]


def is_comparison_due(board: Board, track: RatingTrack, now: datetime) -> bool:
    """Whether a period has closed since the last comparison, or a day has gone by on a track without periods."""
    if track.period_days is not None:
        return track.closed_periods > board.compared_period
    return board.compared_to is None or board.compared_to <= now - DAILY


def compare(board: Board, track: RatingTrack, now: datetime) -> None:
    """Count movement and points from the board as it is written now."""
    _compare_all(_COMPARE, {"track": board.pk})
    _note(board, track, now)


def compare_by_ledger(board: Board, rule: ListingRule, track: RatingTrack, now: datetime) -> None:
    """Count movement and points from before the period closed last, on a board that has followed it already."""
    number = track.closed_periods - 1
    given = {"track": board.pk, "number": number, "deviations": rule.deviations}
    _compare_all(_COMPARE_BY_LEDGER, given)
    _note(board, track, now)


def _compare_all(statement: str, given: Mapping[str, float]) -> None:
    """Run a statement over every standing of a board, each table read once.

    Where this transaction has just written them, statistics know nothing of the rows, and a plan that looks each up
    among all others takes minutes for 100,000.
    """
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_nestloop = off")
        cursor.execute(statement, given)
        cursor.execute("SET LOCAL enable_nestloop TO DEFAULT")


def _note(board: Board, track: RatingTrack, now: datetime) -> None:
    """Note on the board (not saved here) what was compared: the start of the period closed last, or now."""
    calendar, closed = calendar_of(track), track.closed_periods
    board.compared_period = closed
    board.compared_to = calendar.starts_at(closed - 1) if calendar and closed else now
