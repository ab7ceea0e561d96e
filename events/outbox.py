"""Publishing events, and delivering them to subscribers exactly once."""

from collections.abc import Callable, Sequence
from typing import Any

import structlog
from django.db import connection, transaction

from events.models import Event, Subscription
from foundation import clock

__all__ = ["deliver", "publish", "subscribe"]

log = structlog.get_logger(__name__)

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
    if not connection.in_atomic_block:
        raise transaction.TransactionManagementError(
            f"event {kind} published outside a transaction"
        )
    Event.objects.create(kind=kind, payload=payload, at=clock.now())
    transaction.on_commit(_wake, robust=True)


def _wake() -> None:
    """Send a wake-up. When the broker is away the regular one of beat does the same a few seconds later."""
    from events.tasks import deliver as deliver_task

    try:
        deliver_task.apply_async(retry=False, expires=60)
    except deliver_task.OperationalError as error:
        log.warning("wake-up not sent", error=str(error))


def deliver() -> int:
    """Bring every subscriber up to date; returns how many events were handed over."""
    return sum(_deliver_to(name) for name in sorted(_subscribers))


def _deliver_to(name: str) -> int:
    Subscription.objects.get_or_create(name=name)
    delivered = 0
    while batch := _deliver_batch(name):
        delivered += batch
    return delivered


@transaction.atomic
def _deliver_batch(name: str) -> int:
    """Hand one batch over; 0 when there is none, or another process is at it."""
    kinds, handler = _subscribers[name]
    place = Subscription.objects.select_for_update(skip_locked=True).filter(name=name).first()
    if place is None:
        return 0
    events = _complete_after(place)
    if not events:
        return 0
    wanted = [event for event in events if event.kind in kinds]
    if wanted:
        handler(wanted)
    place.transaction, place.event_id = events[-1].transaction, events[-1].pk
    place.save(update_fields=["transaction", "event_id"])
    return len(events)


def _complete_after(place: Subscription) -> list[Event]:
    """Return the next events whose transactions no running transaction can still precede."""
    return list(
        Event.objects.extra(
            where=[
                '("transaction", id) > (%s, %s)',
                '"transaction" < pg_snapshot_xmin(pg_current_snapshot())::text::bigint',
            ],
            params=[place.transaction, place.event_id],
        ).order_by("transaction", "id")[:BATCH]
    )
