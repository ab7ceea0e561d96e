"""Claims: which session rates a track now, so that others neither repeat its work nor wait for a dead one."""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import structlog
from django.conf import settings
from django.db import Error as DatabaseError
from django.db import connection

__all__ = ["claim", "extend"]

log = structlog.get_logger(__name__)

_POLL_SECONDS = 0.1
_ALIVE = """
EXISTS (SELECT FROM pg_stat_activity AS activity
        WHERE activity.pid = run.backend AND activity.backend_start = run.backend_started_at
          AND activity.pid <> pg_backend_pid())
"""
# Takes a free claim, that of a session that is gone, and that of one past its deadline.
_CLAIM = f"""
INSERT INTO ratings_ratingrun AS run (track_id, backend, backend_started_at, claimed_at, deadline)
SELECT %(track)s, pid, backend_start, clock_timestamp(), clock_timestamp() + make_interval(secs => %(seconds)s)
FROM pg_stat_activity WHERE pid = pg_backend_pid()
ON CONFLICT (track_id) DO UPDATE
SET backend = excluded.backend, backend_started_at = excluded.backend_started_at,
    claimed_at = excluded.claimed_at, deadline = excluded.deadline
WHERE run.deadline < clock_timestamp() OR NOT {_ALIVE}
"""  # noqa: S608
_END_OVERDUE = f"""
SELECT run.backend, pg_terminate_backend(run.backend) FROM ratings_ratingrun AS run
WHERE run.track_id = %(track)s AND run.deadline < clock_timestamp() AND {_ALIVE}
"""  # noqa: S608
_EXTEND = """
UPDATE ratings_ratingrun SET deadline = clock_timestamp() + make_interval(secs => %(seconds)s)
WHERE track_id = %(track)s AND backend = pg_backend_pid()
"""
_RELEASE = "DELETE FROM ratings_ratingrun WHERE track_id = %(track)s AND backend = pg_backend_pid()"


@contextmanager
def claim(track_id: int, *, wait: bool) -> Iterator[bool]:
    """Hold the claim on a track inside the block; gives False when another has it and `wait` is off.

    A session past its deadline belongs to a process that has stopped: it is ended, and its claim taken over.
    """
    taken = _take(track_id)
    while wait and not taken:
        time.sleep(_POLL_SECONDS)
        taken = _take(track_id)
    try:
        yield taken
    finally:
        if taken:
            with suppress(DatabaseError):  # a session that is gone has lost its claim already
                _execute(_RELEASE, track_id)


def extend(track_id: int, *, matches: int = 0) -> None:
    """Move the deadline on before the next step, the further the more matches it handles."""
    _execute(_EXTEND, track_id, seconds=settings.RATING_RUN_DEADLINE + matches / 10_000)


def _take(track_id: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(_END_OVERDUE, {"track": track_id})
        if ended := [pid for pid, _ in cursor.fetchall()]:
            log.warning("run.overdue_ended", track=track_id, backends=ended)
    return _execute(_CLAIM, track_id, seconds=settings.RATING_RUN_DEADLINE) == 1


def _execute(statement: str, track_id: int, *, seconds: float = 0.0) -> int:
    with connection.cursor() as cursor:
        cursor.execute(statement, {"track": track_id, "seconds": seconds})
        return int(cursor.rowcount)
