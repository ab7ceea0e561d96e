"""What a worker is in the middle of, as the database sees it."""

import enum
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

import psycopg

__all__ = ["Phase", "Sight", "await_phase", "look_at"]


class Phase(enum.Enum):
    """Where in its work a worker was hit."""

    IDLE = "idle"
    COMPUTING = "computing"
    COPYING = "copying into staging"
    BEFORE_LOCK = "in its transaction, before the lock"
    WAITING = "waiting for the lock"
    HOLDING = "holding the lock"


@dataclass(frozen=True)
class Sight:
    """One look at one worker's session."""

    name: str
    backend: int
    phase: Phase


# Loading is a read of whole columns; while a run computes, it is the last thing its session was asked.
_LOOK = """
SELECT activity.application_name, activity.pid,
       CASE WHEN copying.pid IS NOT NULL THEN 'copying into staging'
            WHEN held.granted THEN 'holding the lock'
            WHEN NOT held.granted THEN 'waiting for the lock'
            WHEN activity.xact_start IS NOT NULL AND activity.query !~ 'array_send|pg_stat|ratings_ratingrun'
                 AND run.backend IS NOT NULL THEN 'in its transaction, before the lock'
            WHEN run.backend IS NOT NULL OR activity.query ~ 'array_send' THEN 'computing'
            ELSE 'idle' END
FROM pg_stat_activity AS activity
LEFT JOIN pg_stat_progress_copy AS copying ON copying.pid = activity.pid AND copying.command = 'COPY FROM'
LEFT JOIN LATERAL (
    SELECT bool_or(lock.granted) AS granted FROM pg_locks AS lock
    WHERE lock.pid = activity.pid AND lock.locktype = 'advisory'
) AS held ON true
LEFT JOIN LATERAL (
    SELECT run.backend FROM ratings_ratingrun AS run WHERE run.backend = activity.pid LIMIT 1
) AS run ON true
WHERE activity.application_name = ANY(%s) AND activity.datname = current_database()
"""


def look_at(session: psycopg.Connection[Any], names: Collection[str]) -> list[Sight]:
    """See what the sessions of these workers are at; a worker without one is left out."""
    rows = session.execute(_LOOK, [list(names)])
    return [Sight(name, backend, Phase(phase)) for name, backend, phase in rows]


def await_phase(
    session: psycopg.Connection[Any],
    names: Callable[[], Collection[str]],
    wanted: Phase,
    *,
    seconds: float,
) -> Sight | None:
    """Look as fast as possible until a worker is in the wanted phase; None when none came to it in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        for sight in look_at(session, names()):
            if sight.phase is wanted:
                return sight
    return None
