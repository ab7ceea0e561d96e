"""Subscribers that fail: tried again later and later, parked in the end, and let go on by an operator."""

from datetime import timedelta

import structlog
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from events.models import Event, Subscription
from foundation import clock
from foundation.postgresql.transactions import after_commit
from foundation.refusals import RefusedError
from foundation.wakeups import wake

__all__ = ["NotFailingError", "note_failure", "parked", "skip", "try_again"]

log = structlog.get_logger(__name__)

LONGEST_PAUSE = 600.0  # seconds between two tries
PARK_AFTER = 12  # failures in a row: about half an hour
LONGEST_ERROR = 2000  # characters kept of it


class NotFailingError(RefusedError):
    """The subscriber does not fail, or no longer at this event."""

    code = "not_failing"


def parked() -> QuerySet[Subscription]:
    """Those that wait for an operator."""
    return Subscription.objects.filter(parked_at__isnull=False)


@transaction.atomic
def note_failure(name: str, event: Event, error: Exception) -> None:
    """Write down that a subscriber failed at an event, and when it is tried again: parked, not by itself."""
    subscription = Subscription.objects.select_for_update().get(name=name)
    now = clock.now()
    subscription.failures += 1
    subscription.error = f"{type(error).__name__}: {error}"[:LONGEST_ERROR].replace("\0", "")
    subscription.failed_event_id = event.pk
    if subscription.failures >= PARK_AFTER:
        subscription.parked_at, subscription.retry_at = subscription.parked_at or now, None
    else:
        pause = min(2.0 ** (subscription.failures - 1), LONGEST_PAUSE)
        subscription.retry_at, subscription.parked_at = now + timedelta(seconds=pause), None
    subscription.save()
    log.error(
        "subscriber.parked" if subscription.parked_at else "subscriber.failed",
        subscriber=name,
        event_id=event.pk,
        kind=event.kind,
        failures=subscription.failures,
        exc_info=error,
    )


@transaction.atomic
def try_again(name: str) -> None:
    """Let a subscriber try now, however often it failed. Raises NotFailingError."""
    subscription = _failing(name)
    subscription.succeed()
    subscription.save()
    after_commit(wake, "events.deliver")


@transaction.atomic
def skip(name: str, *, event_id: int) -> None:
    """Let a subscriber go on behind the event it fails at, which it never sees. Raises NotFailingError."""
    subscription = _failing(name)
    event = Event.objects.filter(pk=event_id).first()
    if subscription.failed_event_id != event_id or event is None:
        raise NotFailingError(_("It no longer fails at this event, so nothing was skipped."))
    subscription.succeed()
    subscription.transaction, subscription.event_id = event.transaction, event.pk
    subscription.save()
    after_commit(wake, "events.deliver")


def _failing(name: str) -> Subscription:
    subscription = Subscription.objects.select_for_update().filter(name=name).first()
    if subscription is None or not subscription.failures:
        raise NotFailingError(_("This subscriber isn't failing any more."))
    return subscription
