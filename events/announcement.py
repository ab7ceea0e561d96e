"""Announcing: an event for the outbox and the message to streams about it, written by one statement.

Each statement is a trip to the database while rows are held. Whoever changes something by a statement of its own lets
that write both as well: as parts of it, by `ANNOUNCED`.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction

from events.kinds import Kind
from events.live import Message, Offset, send_after_commit
from foundation import clock
from foundation.postgresql.prepared import prepared
from foundation.postgresql.transactions import after_commit
from foundation.wakeups import wake

__all__ = ["ANNOUNCED", "Announcement"]

# The last parts of a WITH, and what it gives: a row for `Announcement.written`.
ANNOUNCED = """
cluster AS MATERIALIZED (
    SELECT system_identifier AS number, coalesce(%(told_at)s::timestamptz, now()) AS at FROM pg_control_system()
), published AS (
    INSERT INTO events_event (cluster, kind, at, payload)
    SELECT cluster.number, %(told_kind)s, cluster.at, fact
    FROM cluster, jsonb_array_elements(%(told_facts)s::jsonb) WITH ORDINALITY AS given (fact, ordinality)
    ORDER BY ordinality
), told AS (
    INSERT INTO events_notice (cluster, at, kind, topics, ids, players)
    SELECT cluster.number, cluster.at, %(told_kind)s, %(told_topics)s::varchar[], %(told_ids)s::jsonb, '{}'
    FROM cluster
    RETURNING cluster, transaction, id
)
SELECT cluster, transaction, id FROM told
"""


@dataclass(frozen=True, slots=True)
class Announcement:
    """What has happened.

    facts   what each event says that is published; none where it is broadcast only
    topics  of the streams that are told, at least one
    ids     what the message to them is about
    """

    kind: Kind
    facts: Sequence[Mapping[str, Any]]
    topics: Sequence[str]
    ids: Mapping[str, int]

    @property
    def given(self) -> dict[str, Any]:
        """The values for `ANNOUNCED`. Raises TransactionManagementError outside a transaction.

        Raises ValueError without topics: a notice without any says that what came before it is forgotten.
        """
        if not connection.in_atomic_block:
            raise transaction.TransactionManagementError(
                f"event {self.kind} announced outside a transaction"
            )
        if not self.topics:
            raise ValueError(f"event {self.kind} announced to nobody: give at least one topic")
        return {
            "told_at": clock.replaced(),
            "told_kind": str(self.kind),
            "told_facts": json.dumps([dict(fact) for fact in self.facts]),
            "told_topics": list(dict.fromkeys(self.topics)),
            "told_ids": json.dumps(self.ids),
        }

    def written(self, row: tuple[int, int, int]) -> None:
        """Tell streams and wake the deliverer once the transaction commits; `row` is what the statement gave."""
        if self.facts:
            after_commit(wake, "events.deliver")
        topics = tuple(dict.fromkeys(self.topics))
        message = Message(topics, str(self.kind), dict(self.ids), offset=Offset(*row))
        send_after_commit([message.packed()])

    def write(self) -> None:
        """Write both by a statement of their own."""
        with prepared() as cursor:
            cursor.execute(f"WITH {ANNOUNCED}", self.given)
            self.written(cursor.fetchone())
