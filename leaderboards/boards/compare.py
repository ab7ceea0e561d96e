"""Comparing a board with what it was: where rank movement and points since then are counted from.

A track with periods is compared when a period has closed, one that rates at once every day. Callers hold the
board's lock.
"""

from datetime import datetime, timedelta

from django.db import connection

from leaderboards.models import Board
from ratings.models import RatingTrack
from ratings.tracks.periods import calendar_of

__all__ = ["DAILY", "compare", "compare_by_ledger", "is_comparison_due"]

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
                        WHEN rating.games > change.games THEN change.value_before END AS value
            FROM leaderboards_standing standing
            JOIN ratings_rating rating ON rating.id = standing.rating_id
            LEFT JOIN ratings_ratingperiod period ON period.track_id = %(track)s AND period.number = %(number)s
            LEFT JOIN ratings_ratingchange change
                ON change.track_id = standing.track_id AND change.period_id = period.id
                AND change.player_id = standing.player_id
            WHERE standing.track_id = %(track)s) before) prior
WHERE standing.rating_id = prior.rating_id
"""


def is_comparison_due(board: Board, track: RatingTrack, now: datetime) -> bool:
    """Whether a period has closed since the last comparison, or a day has gone by on a track without periods."""
    if track.period_days is not None:
        return track.closed_periods > board.compared_period
    return board.compared_to is None or board.compared_to <= now - DAILY


def compare(board: Board, track: RatingTrack, now: datetime) -> None:
    """Count movement and points from the board as it is written now."""
    with connection.cursor() as cursor:
        cursor.execute(_COMPARE, {"track": board.pk})
    _note(board, track, now)


def compare_by_ledger(board: Board, track: RatingTrack, now: datetime) -> None:
    """Count movement and points from before the period closed last, on a board that has followed it already."""
    given = {"track": board.pk, "number": track.closed_periods - 1}
    with connection.cursor() as cursor:
        cursor.execute(_COMPARE_BY_LEDGER, given)
    _note(board, track, now)


def _note(board: Board, track: RatingTrack, now: datetime) -> None:
    """Note on the board (not saved here) what was compared: the start of the period closed last, or now."""
    calendar, closed = calendar_of(track), track.closed_periods
    board.compared_period = closed
    board.compared_to = calendar.starts_at(closed - 1) if calendar and closed else now
