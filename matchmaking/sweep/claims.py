"""Claims: who pairs a queue now. The token fences: what is written later than the claim lasts is refused."""

from contextlib import suppress
from uuid import UUID, uuid4

from django.db import Error as DatabaseError
from django.db import connection

from foundation.holders import end_stuck_writers

__all__ = ["MANY", "SECONDS", "claim", "extend", "release"]

# A worker that has stopped is in nobody's way for longer. One that was killed is in nobody's way at all.
SECONDS = 2.5
# With more tickets than this a sweep may need longer.
MANY = 10_000
_STUCK_SECONDS = 1.5

# What nobody claims, or whose claimer is past its deadline or gone. A session's number may be used again: then the
# deadline decides. The session that the server has ended for being idle is gone too.
_FREE = """
(sweep_until IS NULL OR sweep_until < clock_timestamp()
 OR NOT EXISTS (SELECT FROM pg_stat_activity WHERE pid = sweep_backend))
"""
# Whoever has the row is writing, and need not be waited for.
_CLAIM = f"""
UPDATE matchmaking_queue SET sweep_token = %(token)s, sweep_backend = pg_backend_pid(),
       sweep_until = clock_timestamp() + make_interval(secs => %(seconds)s)
WHERE id = (
    SELECT id FROM matchmaking_queue WHERE id = %(queue)s AND {_FREE} FOR NO KEY UPDATE SKIP LOCKED
)
"""  # noqa: S608
_IS_FREE = f"SELECT count(*) FROM matchmaking_queue WHERE id = %(queue)s AND {_FREE}"  # noqa: S608
_MINE = """
WHERE id = (SELECT id FROM matchmaking_queue WHERE id = %(queue)s AND sweep_token = %(token)s
            FOR NO KEY UPDATE SKIP LOCKED)
"""
_EXTEND = f"""
UPDATE matchmaking_queue SET sweep_until = clock_timestamp() + make_interval(secs => %(seconds)s) {_MINE}
"""  # noqa: S608
_RELEASE = f"UPDATE matchmaking_queue SET sweep_token = NULL, sweep_until = NULL {_MINE}"  # noqa: S608


def claim(queue_id: int) -> UUID | None:
    """Claim a queue; None while another has it.

    Where the claim is free and yet the row is held, its holder may have stopped in the middle of writing: a session
    that has waited for its client for so long is ended, and the next attempt succeeds.
    """
    token = uuid4()
    if _execute(_CLAIM, queue_id, token, SECONDS):
        return token
    with connection.cursor() as cursor:
        cursor.execute(_IS_FREE, {"queue": queue_id})
        is_held = bool(cursor.fetchone()[0])
    if is_held and end_stuck_writers("matchmaking_queue", seconds=_STUCK_SECONDS):
        return token if _execute(_CLAIM, queue_id, token, SECONDS) else None
    return None


def extend(queue_id: int, token: UUID, *, tickets: int = 0) -> None:
    """Let the claim last from now on, and longer where there is more to do: a second for `MANY` tickets."""
    _execute(_EXTEND, queue_id, token, SECONDS + tickets / MANY)


def release(queue_id: int, token: UUID) -> None:
    """Give the claim back, if it is still held."""
    with suppress(DatabaseError):  # it ends by itself
        _execute(_RELEASE, queue_id, token)


def _execute(statement: str, queue_id: int, token: UUID, seconds: float = 0.0) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(statement, {"queue": queue_id, "token": token, "seconds": seconds})
        return bool(cursor.rowcount)
