"""Sending what is due by mail, trying again later where that fails, and giving up at last."""

import smtplib
from datetime import timedelta

import structlog
from django.core import mail as django_mail
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.db.models import Q

from accounts.mail import is_configured
from foundation import clock
from notifications.mail.write import write
from notifications.models import Delivery, Way
from notifications.preferences import postponed

__all__ = ["MOST_ATTEMPTS", "send_due"]

log = structlog.get_logger(__name__)

MOST_ATTEMPTS = 12  # some six hours, with the pauses below
_FIRST_PAUSE = timedelta(seconds=30)
_LONGEST_PAUSE = timedelta(hours=1)
_BATCH = 100


def pause_after(attempts: int) -> timedelta:
    """How long a mail waits after so many attempts: twice as long each time, an hour at most."""
    doubled: timedelta = _FIRST_PAUSE * 2 ** (attempts - 1)
    return min(doubled, _LONGEST_PAUSE)


def send_due() -> int:
    """Send what is due; returns how many mails were sent. Several at once share the work.

    An attempt is counted before it is made: one whose process is killed is made once more, later; no mail is lost, and
    one that had gone out already goes out twice at most.
    """
    if not is_configured():
        return 0
    sent = 0
    connection = django_mail.get_connection()
    try:
        # What is of no use any more is not sent, see `_claim`; here it goes.
        Delivery.objects.filter(way=Way.MAIL, until__lte=clock.now()).delete()
        for _ in range(_BATCH):
            mail = _claim()
            if mail is None:
                break
            try:
                sent += not postponed(mail) and _send(mail, connection)
            except OSError as error:  # of which the errors of SMTP are a kind
                # Spare the others their attempts: where one cannot be handed over, none can.
                _failed(mail, error)
                now = clock.now()
                due = Delivery.objects.filter(way=Way.MAIL, due_at__lte=now)
                due.update(due_at=now + _FIRST_PAUSE)
                log.warning("notices.mail_server_failed", error=str(error))
                break
    finally:
        connection.close()
    return sent


@transaction.atomic
def _claim() -> Delivery | None:
    now = clock.now()
    due = Delivery.objects.filter(Q(until=None) | Q(until__gt=now), way=Way.MAIL, due_at__lte=now)
    held = due.select_for_update(skip_locked=True, of=("self",)).select_related("notice__player")
    mail = held.order_by("due_at", "pk").first()
    if mail is None:
        return None
    mail.attempts += 1
    mail.due_at = now + pause_after(mail.attempts)
    mail.save(update_fields=["attempts", "due_at"])
    return mail


def _send(mail: Delivery, connection: BaseEmailBackend) -> bool:
    """Send one; whether it went out. OSError: the server cannot be used at the moment."""
    try:
        message = write(mail.notice)
        if message is None:
            _end(mail)
            return False
        message.connection = connection
        message.send()
    except (smtplib.SMTPRecipientsRefused, smtplib.SMTPDataError) as error:
        # Whether the server will never take this mail (5xx), rather than not now (4xx).
        codes = [error.smtp_code] if isinstance(error, smtplib.SMTPDataError) else []
        if isinstance(error, smtplib.SMTPRecipientsRefused):
            codes = [code for code, _ in error.recipients.values()]
        _failed(mail, error, for_good=all(code >= 500 for code in codes))
        return False
    except OSError:
        raise
    except Exception as error:  # one mail that cannot be written must not hold up the others
        log.exception("notices.mail_not_written", notice=mail.notice_id, kind=mail.notice.kind)
        _failed(mail, error)
        return False
    _end(mail)
    return True


def _failed(mail: Delivery, error: Exception, *, for_good: bool = False) -> None:
    if for_good or mail.attempts >= MOST_ATTEMPTS:
        log.error(
            "notices.mail_given_up",
            notice=mail.notice_id,
            attempts=mail.attempts,
            error=type(error).__name__,
        )
        _end(mail)


def _end(mail: Delivery) -> None:
    Delivery.objects.filter(pk=mail.pk).delete()
