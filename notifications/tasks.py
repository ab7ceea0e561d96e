"""Wake-ups of notices. Each finds in the database what is due: correct when run never, once, twice or twice at once."""

from celery import shared_task

from foundation import timekeeping

__all__ = ["forget_old", "send_mails", "send_pushes"]


@shared_task(name="notifications.send_mails")
def send_mails() -> None:
    """Send the mails that are due, and let what has passed count as read."""
    from notifications.mail.send import send_due
    from notifications.reading import mark_passed

    mark_passed()
    send_due()


@shared_task(name="notifications.send_pushes")
def send_pushes() -> None:
    """Send the pushes that are due."""
    from notifications.push.send import send_due

    send_due()


@shared_task(name="notifications.forget_old")
def forget_old() -> None:
    """Delete notices of long ago, and browsers that have taken nothing for long."""
    from notifications.retention import forget

    if timekeeping.is_steady():  # by a wrong clock everything is old
        forget()
