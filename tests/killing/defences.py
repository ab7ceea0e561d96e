"""What keeps a match from being rated twice or never, and how to do without it.

Nothing of this exists in the product: a worker of the harness takes its own copy apart, and constraints are dropped
in the harness's own database.
"""

import enum
import time
from collections.abc import Collection
from contextlib import nullcontext, suppress
from typing import Any

import psycopg
from django.db import connection, transaction

from events import outbox
from foundation.postgresql import lease, locks
from ratings.runs import run as runs
from ratings.runs import write as writing
from ratings.runs.compute import RatedChunk
from ratings.runs.position import Position

__all__ = ["Defence", "drop_constraints", "lay_down"]


class Defence(enum.Enum):
    """One defence each; the value is how it is named on the command line."""

    LOCK = "lock"
    CLAIM = "claim"
    POSITION = "position"
    CONSTRAINTS = "constraints"
    TRANSACTION = "transaction"


# Two of them are also the indexes that rows are read by, so plain ones take their places. Foreign keys to a rating go
# with its index.
_DROP = """
DROP INDEX change_once_per_match, change_once_per_period, period_number_unique, period_last_seq_unique,
           rating_one_per_track, match_sequence_unique CASCADE;
CREATE INDEX rating_without_constraint ON ratings_rating (track_id, player_id);
CREATE INDEX match_without_constraint ON ratings_match (ladder_id, ladder_seq);
"""
_MOVE_UNCHECKED = """
UPDATE ratings_ratingtrack
SET rated_seq = %(rated_seq)s, closed_periods = %(closed_periods)s, pool_grown_from = %(grown_from)s,
    revision = revision + 1, updated_at = now()
WHERE id = %(track)s
"""


def drop_constraints(session: psycopg.Connection[Any]) -> None:
    """Drop the unique constraints of sequence, periods, ratings and ledger in this database."""
    session.execute(_DROP)


def lay_down(without: Collection[Defence]) -> None:
    """Do without these defences in this process from now on."""
    if Defence.LOCK in without:
        lease.__dict__["hold"] = _hold_nothing
    if Defence.CLAIM in without:
        setattr(lease.SessionLease, "_take", _take_nothing)  # noqa: B010 - for mypy
    if Defence.POSITION in without:
        writing.__dict__["_MOVE_TRACK"] = _MOVE_UNCHECKED
    if Defence.TRANSACTION in without:
        kept = [words.replace("DELETE ROWS", "PRESERVE ROWS") for words in writing._STAGES]
        writing.__dict__["_STAGES"] = tuple(kept)
        # Each statement in a transaction of its own; without the defence of the lock not even under one lock.
        writing.__dict__["transaction"] = _NoTransaction
        writing.__dict__["outbox"] = _OutboxApart
        writing.__dict__["hold_firmly"] = lambda _kind, _pk: None
        if Defence.LOCK not in without:
            runs.__dict__["commit"] = _commit_under_lock_of_session


class _NoTransaction:
    """In the place of `django.db.transaction`: what is within commits statement by statement."""

    atomic = nullcontext


class _OutboxApart:
    """In the place of `events.outbox`, which insists on a transaction: gives each event one of its own."""

    @staticmethod
    def publish(kind: str, **payload: Any) -> None:
        with transaction.atomic():
            outbox.publish(kind, **payload)


def _hold_nothing(_kind: locks.Lock, _pk: int) -> None:
    """Take no lock."""


def _take_nothing(_lease: lease.SessionLease, _pk: int, _seconds: float) -> bool:
    return True


def _commit_under_lock_of_session(position: Position, rated: RatedChunk) -> None:
    """Commit under a lock that the session holds, for no transaction can."""
    key = locks.key_of(locks.Lock.LADDER, position.ladder_id)
    while not _ask("SELECT pg_try_advisory_lock(%s)", key):
        seconds = lease.DEADLINE_SECONDS
        lease.end_stuck_holders(locks.Lock.LADDER, position.ladder_id, seconds=seconds)
        time.sleep(0.02)
    try:
        writing.commit(position, rated)
    finally:
        with suppress(Exception):  # a session that is gone holds nothing
            _ask("SELECT pg_advisory_unlock(%s)", key)


def _ask(question: str, key: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(question, [key])
        row: tuple[bool] = cursor.fetchone()
    return row[0]
