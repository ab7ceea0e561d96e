"""What keeps a match from being rated twice or never, and how to do without it.

Nothing of this exists in the product: a worker of the harness takes its own copy apart, and constraints are dropped
in the harness's own database.
"""

import enum
import time
from collections.abc import Collection
from contextlib import suppress
from typing import Any

import psycopg
from django.db import connection, transaction

from foundation import holders, locks
from ratings.runs import claims
from ratings.runs import run as runs
from ratings.runs import write as writing
from ratings.runs.outcome import Outcome
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
        holders.__dict__["_hold_within"] = _hold_nothing
    if Defence.CLAIM in without:
        claims.__dict__["_take"] = _claim_nothing
    if Defence.POSITION in without:
        writing.__dict__["_MOVE_TRACK"] = _MOVE_UNCHECKED
    if Defence.TRANSACTION in without:
        kept = [words.replace("DELETE ROWS", "PRESERVE ROWS") for words in writing._STAGES]
        writing.__dict__["_STAGES"] = tuple(kept)
        is_locked = Defence.LOCK not in without
        runs.__dict__["commit"] = _commit_in_pieces if is_locked else _commit_unlocked_in_pieces


def _hold_nothing(_kind: locks.Lock, _pk: int, _seconds: float) -> bool:
    return True


def _claim_nothing(_track_id: int) -> bool:
    return True


def _commit_unlocked_in_pieces(position: Position, outcome: Outcome) -> None:
    """Write each statement in a transaction of its own."""
    writing._stage(outcome)
    writing._move_track(position, outcome)
    writing._write(position, outcome)
    with transaction.atomic():  # the outbox insists on one
        writing._tell(position, outcome)


def _commit_in_pieces(position: Position, outcome: Outcome) -> None:
    """Write each statement in a transaction of its own, all under the same lock, held by the session."""
    key = locks.key_of(locks.Lock.LADDER, position.ladder_id)
    while not _ask("SELECT pg_try_advisory_lock(%s)", key):
        seconds = holders.DEADLINE_SECONDS
        holders.end_stuck_holders(locks.Lock.LADDER, position.ladder_id, seconds=seconds)
        time.sleep(0.02)
    try:
        _commit_unlocked_in_pieces(position, outcome)
    finally:
        with suppress(Exception):  # a session that is gone holds nothing
            _ask("SELECT pg_advisory_unlock(%s)", key)


def _ask(question: str, key: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(question, [key])
        row: tuple[bool] = cursor.fetchone()
    return row[0]
