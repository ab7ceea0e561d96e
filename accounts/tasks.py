"""Wake-ups of accounts. Correct when run never, once, twice or twice at once."""

from celery import shared_task

from foundation import timekeeping

__all__ = ["forget_old", "send_mails"]


@shared_task(name="accounts.send_mails")
def send_mails() -> None:
    """Send the mails that are due."""
    from accounts.mail.send import send_due

    send_due()


@shared_task(name="accounts.forget_old")
def forget_old() -> None:
    """Delete what is of no use any more: mails and counts of long ago, and accounts whose address nobody confirmed."""
    from accounts.entrance import failures
    from accounts.forget_unconfirmed import forget_unconfirmed
    from accounts.mail import send

    if not timekeeping.is_steady():  # by a wrong clock everything is old
        return
    send.forget_old()
    failures.forget_old()
    forget_unconfirmed()
