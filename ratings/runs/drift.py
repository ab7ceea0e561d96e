"""A date by which ratings drift: points are taken from everybody on a track, or given, whoever plays.

In SQL, some players after the other in transactions of their own: killed anywhere, the next run goes on where it was.
"""

import time

import structlog
from django.db import connection, transaction

from events import outbox
from events.kinds import Kind
from foundation.metrics import RUN_SECONDS
from foundation.postgresql.lease import hold_firmly
from foundation.postgresql.locks import Lock
from ratings.models import ChangeKind, Rating
from ratings.runs.position import DueDrift, Position
from ratings.runs.write import move_track

__all__ = ["let_drift"]

log = structlog.get_logger(__name__)

# Players of a transaction: about half a second of work.
DRIFT_CHUNK = 50_000
# The same bits as `Drift.apply`. Who stands at the floor has no row. Of whoever is in matches that go on, which have no
# row yet, the row leaves out what these have done so far: theirs come behind it.
_DRIFT = """
WITH moving AS (
    SELECT id, value,
           CASE WHEN %(points)s::float8 < 0 AND %(floor)s::float8 IS NOT NULL
                THEN greatest(value + %(points)s::float8, least(value, %(floor)s::float8))
                ELSE value + %(points)s::float8 END AS moved
    FROM ratings_rating
    WHERE track_id = %(track)s AND player_id > %(after)s AND player_id <= %(last)s
), drifted AS (
    UPDATE ratings_rating AS rating SET value = moving.moved, revision = %(revision)s
    FROM moving WHERE rating.id = moving.id AND moving.moved <> moving.value
    RETURNING rating.player_id, rating.facet, rating.deviation, rating.volatility, rating.status,
              moving.value, moving.value - moving.moved AS taken, moving.moved
), going_on AS (
    SELECT player_id, sum(points ORDER BY match_id) AS points FROM ratings_logtally
    WHERE track_id = %(track)s AND NOT in_ledger AND weight > 0
      AND player_id > %(after)s AND player_id <= %(last)s
    GROUP BY player_id
), told AS (
    SELECT drifted.*, CASE WHEN going_on.points IS NULL THEN value
                           ELSE greatest(value - going_on.points, taken) END AS before,
           going_on.points IS NULL AS is_alone
    FROM drifted LEFT JOIN going_on USING (player_id)
)
INSERT INTO ratings_ratingchange (track_id, kind, player_id, facet, at, games, value_before, value_after,
                                  deviation_before, deviation_after, volatility_before, volatility_after, status_before)
SELECT %(track)s, %(kind)s, player_id, facet, %(at)s, 0, before, CASE WHEN is_alone THEN moved ELSE before - taken END,
       deviation, deviation, volatility, volatility, status
FROM told ORDER BY player_id, facet
"""
_EVERYBODY = 2**63 - 1


def let_drift(position: Position, due: DueDrift) -> int:
    """Move the next players' ratings by what is due, and the track past the date with the last of them.

    Returns how many ratings have moved. Raises StalePositionError; nothing is written then.
    """
    began, after, revision = time.monotonic(), position.drifted_player, position.revision + 1
    given = {
        "track": position.track_id,
        "revision": revision,
        "points": due.drift.points,
        "floor": due.drift.floor,
        "kind": (ChangeKind.DECAY if due.drift.points < 0 else ChangeKind.INFLATION).value,
        "at": due.at,
        "after": after,
    }
    players = Rating.objects.filter(track=position.track_id, player_id__gt=after)
    bound = players.order_by("player_id").values_list("player_id", flat=True)
    last = next(iter(bound[DRIFT_CHUNK - 1 : DRIFT_CHUNK]), None)
    by_period = position.calendar is not None
    with transaction.atomic():
        hold_firmly(Lock.LADDER, position.ladder_id)
        is_last = last is None
        move_track(
            position,
            rated_seq=due.event if is_last and not by_period else position.rated_seq,
            closed_periods=position.closed_periods,
            drifted_periods=due.event + 1 if is_last and by_period else position.drifted_periods,
            drifted_player=last or 0,
            grown_from=position.pool_grown_from,
        )
        with connection.cursor() as cursor:
            cursor.execute(_DRIFT, {**given, "last": _EVERYBODY if is_last else last})
            moved = int(cursor.rowcount)
        if moved:
            outbox.publish(Kind.RATINGS_CHANGED, track=position.track_id, revision=revision)
    seconds = time.monotonic() - began
    RUN_SECONDS.labels(position.versions[0].system.name).observe(seconds)
    log.info(
        "run.drifted",
        track=position.track_id,
        revision=revision,
        date=due.at.isoformat(),
        ratings=moved,
        seconds=round(seconds, 3),
    )
    return moved
