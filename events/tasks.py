"""Wake-ups of the deliverer."""

from celery import shared_task
from django.conf import settings

from events import outbox
from events.live import notices
from foundation import timekeeping


@shared_task(name="events.deliver")
def deliver() -> None:
    """Bring every subscriber up to date. Correct when run never, once, twice or twice at once."""
    outbox.deliver()


@shared_task(name="events.forget_old")
def forget_old() -> None:
    """Delete what every subscriber has read long ago, and what streams were told then."""
    if settings.KEEP_EVENTS is not None and timekeeping.is_steady():
        outbox.forget_old(days=settings.KEEP_EVENTS)
        notices.forget_notices(settings.KEEP_EVENTS)
