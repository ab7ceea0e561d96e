"""Writing a rated chunk: staged before the ladder's lock, moved under it, all or nothing."""

from dataclasses import asdict
from typing import Any

import numpy as np
from django.db import connection, transaction
from numpy.typing import NDArray

from events import outbox
from events.kinds import Kind
from foundation import clock
from foundation.postgresql.bulk import copy_in
from foundation.postgresql.lease import hold_firmly
from foundation.postgresql.locks import Lock
from ratings.models import ChangeKind, RatingPeriod
from ratings.runs.compute import RatedChunk
from ratings.runs.position import Position
from ratings.runs.track_ratings import COLUMNS, FIGURES, MOMENTS, TALLIES

__all__ = ["StalePositionError", "commit", "move_track"]

_STAGED_RATING = ", ".join(
    [f"{name} float8" for name in FIGURES]
    + [f"{name} int4" for name in TALLIES]
    + [f"{name} timestamptz" for name in MOMENTS]
)
# A facet is its index in the list of the run, counted from 0.
# Kept for the session and emptied by every commit: making them anew would churn the catalogue.
_STAGES = (
    "CREATE TEMP TABLE IF NOT EXISTS staged_rating (rating int8, player int8, facet int4 DEFAULT 0,"
    f" {_STAGED_RATING}, status int2) ON COMMIT DELETE ROWS",
    "CREATE TEMP TABLE IF NOT EXISTS staged_change (player int8, facet int4 DEFAULT 0, cause int8,"
    " at timestamptz, games int4,"
    " expected float8, actual float8, weight float8, worth float8, value_before float8, value_after float8,"
    " deviation_before float8, deviation_after float8, volatility_before float8, volatility_after float8,"
    " status_before int2) ON COMMIT DELETE ROWS",
    "DELETE FROM staged_rating",
    "DELETE FROM staged_change",
)
_RATING = ", ".join(COLUMNS)
_FACET = "(%(facets)s::text[])[facet + 1]"
_UPDATE_RATINGS = f"""
UPDATE ratings_rating AS rating
SET ({_RATING}, revision) = ROW ({", ".join(f"staged.{name}" for name in COLUMNS)}, %(revision)s)
FROM staged_rating AS staged WHERE staged.rating > 0 AND rating.id = staged.rating
"""  # noqa: S608
_INSERT_RATINGS = f"""
INSERT INTO ratings_rating (track_id, player_id, facet, {_RATING}, revision)
SELECT %(track)s, player, {_FACET}, {_RATING}, %(revision)s FROM staged_rating WHERE rating = 0
"""  # noqa: S608
_CHANGE = (
    "at, games, expected, actual, weight, worth, value_before, value_after, deviation_before, deviation_after,"
    " volatility_before, volatility_after, status_before"
)
_INSERT_CHANGES = {
    ChangeKind.MATCH: f"""
INSERT INTO ratings_ratingchange (track_id, kind, player_id, facet, match_id, {_CHANGE})
SELECT %(track)s, 'match', player, {_FACET}, cause, {_CHANGE} FROM staged_change
""",  # noqa: S608
    ChangeKind.PERIOD: f"""
INSERT INTO ratings_ratingchange (track_id, kind, player_id, facet, period_id, {_CHANGE})
SELECT %(track)s, 'period', staged.player, {_FACET}, period.id, {_CHANGE.replace("games", "staged.games")}
FROM staged_change AS staged
JOIN ratings_ratingperiod AS period ON period.track_id = %(track)s AND period.number = staged.cause
""",  # noqa: S608
}
# Nothing was rated, and no parameter changed, since the position was read.
_MOVE_TRACK = """
UPDATE ratings_ratingtrack AS track
SET rated_seq = %(rated_seq)s, closed_periods = %(closed_periods)s, pool_grown_from = %(grown_from)s,
    drifted_periods = %(drifted_periods)s, drifted_player = %(drifted_player)s,
    revision = revision + 1, updated_at = now()
WHERE id = %(track)s AND revision = %(before)s
  AND (SELECT max(number) FROM ratings_parameterversion WHERE track_id = track.id) = %(version)s
"""


class StalePositionError(Exception):
    """Another run was first, or a parameter changed: what was computed no longer holds."""


def commit(position: Position, rated: RatedChunk) -> None:
    """Write everything a chunk leads to in one transaction. Raises StalePositionError; nothing is written then.

    The rows go into staging tables before the lock is taken: while it is held, no data comes from this process.
    """
    track, calendar = position.track_id, position.calendar
    parameters: dict[str, Any] = {
        "track": track,
        "revision": position.revision + 1,
        "facets": list(rated.state.facets.values),
    }
    with transaction.atomic():
        _stage(rated)
        hold_firmly(Lock.LADDER, position.ladder_id)
        move_track(
            position,
            rated_seq=rated.rated_seq,
            closed_periods=rated.closed_periods,
            drifted_periods=position.drifted_with(rated.closed_periods),
            drifted_player=0,
            grown_from=rated.pool_grown_from,
        )
        if rated.ledger:
            kind = ChangeKind.MATCH if calendar is None else ChangeKind.PERIOD
            if calendar is not None:
                now = clock.now()
                periods = [
                    RatingPeriod(
                        track_id=track,
                        starts_at=calendar.starts_at(row.number),
                        ends_at=calendar.ends_at(row.number),
                        closed_at=now,
                        **asdict(row),
                    )
                    for row in rated.periods
                ]
                RatingPeriod.objects.bulk_create(periods, batch_size=1000)
            with connection.cursor() as cursor:
                for statement in (_UPDATE_RATINGS, _INSERT_RATINGS, _INSERT_CHANGES[kind]):
                    cursor.execute(statement, parameters)
            outbox.publish(Kind.RATINGS_CHANGED, track=track, revision=position.revision + 1)
        if rated.closed_periods > position.closed_periods:
            outbox.publish(Kind.PERIOD_CLOSED, track=track, last=rated.closed_periods - 1)


def move_track(
    position: Position,
    *,
    rated_seq: int,
    closed_periods: int,
    drifted_periods: int,
    drifted_player: int,
    grown_from: int | None,
) -> None:
    """Let a track stand where a chunk has brought it, under the ladder's lock. Raises StalePositionError."""
    given = {
        "track": position.track_id,
        "before": position.revision,
        "version": max(version.number for version in position.versions),
        "rated_seq": rated_seq,
        "closed_periods": closed_periods,
        "drifted_periods": drifted_periods,
        "drifted_player": drifted_player,
        "grown_from": grown_from,
    }
    with connection.cursor() as cursor:
        cursor.execute(_MOVE_TRACK, given)
        if cursor.rowcount != 1:
            raise StalePositionError(
                f"track {position.track_id} has left revision {position.revision}"
            )


def _stage(rated: RatedChunk) -> None:
    """Copy the changed ratings and the ledger into the staging tables of this session."""
    state, touched = rated.state, np.flatnonzero(rated.state.touched)
    if not len(touched):
        return
    with connection.cursor() as cursor:
        for statement in _STAGES:
            cursor.execute(statement)
    ratings: dict[str, NDArray[Any]] = {}
    for name in ("rating", "player", *MOMENTS):
        ratings[name] = getattr(state, name)[touched]
    for name in FIGURES:
        if (column := getattr(state, name)) is not None:
            ratings[name] = column[touched]
    for name in TALLIES:
        ratings[name] = getattr(state, name)[touched].astype(np.int32)
    ratings["status"] = state.status[touched].astype(np.int16)
    for table, columns in (("staged_rating", ratings), ("staged_change", dict(rated.ledger))):
        if state.facets.kind:  # players and facets in the place of competitors
            player, facet = state.facets.split(columns["player"])
            columns |= {"player": player, "facet": facet.astype(np.int32)}
        copy_in(table, columns)
