"""Wake-ups of the deliverer."""

from celery import shared_task

from events import outbox


@shared_task(name="events.deliver")
def deliver() -> None:
    """Bring every subscriber up to date. Correct when run never, once, twice or twice at once."""
    outbox.deliver()


@shared_task(name="events.forget_old")
def forget_old() -> None:
    """Delete what every subscriber has read long ago."""
    outbox.forget_old()
