"""Publishing events, and delivering them to subscribers exactly once.

Ids of rows are given out before commit, so that a lower one may become visible later. Readers therefore go by
transactions: whatever is older than every transaction of this database still running is complete.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.db import connection, transaction
from django.db.models import Min, Q, QuerySet

from events.failures import LONGEST_PAUSE, note_failure
from events.models import Event, Subscription
from events.renumber import renumber
from foundation import clock
from foundation.postgresql.prepared import prepared
from foundation.postgresql.rows import delete_in_batches
from foundation.postgresql.transactions import after_commit
from foundation.wakeups import wake

__all__ = [
    "FIRST_RUNNING",
    "deliver",
    "foreign_transactions",
    "forget_old",
    "publish",
    "publish_many",
    "subscribe",
]

# Snapshots know of the transactions of all databases of the server; whose they are is known while their sessions are
# seen in them. That is read first: what runs then and is in the later snapshot too is another database's for good, for
# a transaction never changes its database. Any other counts as ours, such as one whose session cannot be seen, or one
# that began in between: what had committed by then is older, and need not wait for it.
_FOREIGN_TRANSACTIONS = """
SELECT coalesce(array_agg(session.backend_xid::text), '{}') FROM pg_stat_get_activity(NULL) AS session
WHERE session.backend_xid IS NOT NULL
  AND session.datid <> (SELECT oid FROM pg_database WHERE datname = current_database())
"""
# The oldest transaction that may still write; with `foreign_transactions()` as %(foreign_transactions)s.
FIRST_RUNNING = """
    SELECT coalesce(min(running.xid::text::bigint), pg_snapshot_xmax(pg_current_snapshot())::text::bigint)
    FROM pg_snapshot_xip(pg_current_snapshot()) AS running (xid)
    WHERE running.xid::xid <> ALL (%(foreign_transactions)s::xid[])
"""
# Models would cost a query for the time, and a batch some objects an event.
_INSERT = """
INSERT INTO events_event (cluster, kind, at, payload)
SELECT (SELECT system_identifier FROM pg_control_system()), %(kind)s, coalesce(%(at)s::timestamptz, now()), fact
FROM jsonb_array_elements(%(facts)s::jsonb) WITH ORDINALITY AS given (fact, ordinality) ORDER BY ordinality
"""
_COMPLETE_AFTER = f"""
SELECT id, transaction, at, kind, payload FROM events_event
WHERE (transaction, id) > (%(transaction)s, %(event)s) AND transaction < ({FIRST_RUNNING})
ORDER BY transaction, id LIMIT %(batch)s
"""  # noqa: S608

Handler = Callable[[Sequence[Event]], None]
_subscribers: dict[str, tuple[frozenset[str], Handler]] = {}
BATCH = 1000


def subscribe(name: str, *, kinds: Sequence[str], handler: Handler) -> None:
    """Let `handler` see every event of `kinds`, in order, in batches. Called from an app's `ready()`.

    The handler runs in the transaction that moves the subscriber on: what it writes happens once or not at all.
    """
    _subscribers[name] = (frozenset(kinds), handler)


def publish(kind: str, **payload: Any) -> None:
    """Write an event in the current transaction, and wake the deliverer when that commits.

    Raises TransactionManagementError outside a transaction: a fact must stand or fall with what it tells of.
    """
    publish_many(kind, [payload])


def publish_many(kind: str, payloads: Sequence[Mapping[str, Any]]) -> None:
    """Write many events of one kind, in order, in one statement. As `publish` in all else."""
    if not connection.in_atomic_block:
        raise transaction.TransactionManagementError(
            f"event {kind} published outside a transaction"
        )
    if not payloads:
        return
    facts = json.dumps([dict(payload) for payload in payloads])
    with prepared() as cursor:
        cursor.execute(_INSERT, {"kind": kind, "at": clock.replaced(), "facts": facts})
    after_commit(wake, "events.deliver")


def deliver() -> int:
    """Bring every subscriber up to date; returns how many events were handed over.

    One that fails keeps nobody else from the events: it is tried again later, and parked in the end.
    """
    renumber()
    return sum(_deliver_to(name) for name in sorted(_subscribers))


def _deliver_to(name: str) -> int:
    Subscription.objects.get_or_create(name=name)
    delivered, size = 0, BATCH
    while True:
        try:
            batch = _deliver_batch(name, size)
        except _HandlerError as failed:
            if (
                len(failed.events) > 1
            ):  # the smaller the batch, the more of it comes before what cannot be handled
                size = max(1, len(failed.events) // 10)
                continue
            note_failure(name, failed.events[0], failed.error)
            return delivered
        if not batch:
            return delivered
        delivered += batch


class _HandlerError(Exception):
    """A handler raised `error` at these events."""

    def __init__(self, events: Sequence[Event], error: Exception) -> None:
        super().__init__(str(error))
        self.events = events
        self.error = error


@transaction.atomic
def _deliver_batch(name: str, size: int) -> int:
    """Hand one batch over; 0 when there is none, it is not yet time to try again, or another process is at it."""
    kinds, handler = _subscribers[name]
    rows = Subscription.objects.select_for_update(skip_locked=True).filter(name=name)
    now = clock.now()
    # A pause that is longer than any was left behind by a clock that ran ahead.
    unheard_of = Q(retry_at__gt=now + timedelta(seconds=LONGEST_PAUSE + 60))
    is_due = Q(retry_at__isnull=True) | Q(retry_at__lte=now) | unheard_of
    subscription = rows.filter(is_due, parked_at__isnull=True).first()
    if subscription is None:
        return 0
    # The next ones whose transactions no running transaction of this database can still precede.
    given = {
        "foreign_transactions": foreign_transactions(),
        "transaction": subscription.transaction,
        "event": subscription.event_id,
        "batch": 1 if subscription.failures else size,
    }
    events = list(Event.objects.raw(_COMPLETE_AFTER, given))
    if not events:
        return 0
    wanted = [event for event in events if event.kind in kinds]
    if wanted:
        try:
            handler(wanted)
        except Exception as error:
            raise _HandlerError(events, error) from error
        if subscription.failures:
            subscription.succeed()
    subscription.transaction, subscription.event_id = events[-1].transaction, events[-1].pk
    subscription.save()
    return len(events)


def foreign_transactions() -> list[str]:
    """Numbers of transactions that run now in other databases of the server."""
    with connection.cursor() as cursor:
        cursor.execute(_FOREIGN_TRANSACTIONS)
        found: tuple[list[str]] = cursor.fetchone()
    return found[0]


def forget_old(*, days: float = 7.0, parked_days: float = 30.0) -> int:
    """Delete events older than `days` that every subscriber has read; returns how many.

    For subscribers that are parked they are kept for `parked_days`, and no longer: nobody may ever come for them.
    """
    subscriptions = Subscription.objects.filter(name__in=_subscribers)
    if subscriptions.count() < len(_subscribers):
        return 0
    now = clock.now()
    active = _read_by_all(subscriptions.filter(parked_at__isnull=True))
    parked = _read_by_all(subscriptions.filter(parked_at__isnull=False))
    too_old = Q(at__lt=now - timedelta(days=max(days, parked_days)))
    old = Event.objects.filter(active, parked | too_old, at__lt=now - timedelta(days=days))
    return delete_in_batches(old.order_by("transaction", "id"), 10 * BATCH)


def _read_by_all(subscriptions: QuerySet[Subscription]) -> Q:
    """What all of these have read: everything where there are none."""
    read = subscriptions.aggregate(all_of_it=Min("transaction"))["all_of_it"]
    return Q(pk__isnull=False) if read is None else Q(transaction__lt=read)
