"""Sending what waits, trying again later where that fails, and setting aside what cannot be sent."""

import smtplib
from datetime import timedelta

import structlog
from django.core import mail as django_mail
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.db.models import Q
from django.utils.text import Truncator

from accounts.mail import is_configured
from accounts.mail.write import write
from accounts.models import Mail
from foundation import clock
from foundation.postgresql.rows import delete_in_batches

__all__ = ["KEPT", "MOST_ATTEMPTS", "forget_old", "retry", "send_due"]

log = structlog.get_logger(__name__)

MOST_ATTEMPTS = 20  # half a day, with the pauses below
_FIRST_PAUSE = timedelta(seconds=30)
_LONGEST_PAUSE = timedelta(hours=1)
_UNHEARD_OF = _LONGEST_PAUSE + timedelta(
    minutes=1
)  # a pause that a clock ahead of its time has left behind
_BATCH = 100
KEPT = timedelta(days=30)  # after a mail is finished
_ROWS = 5000


def pause_after(attempts: int) -> timedelta:
    """How long a mail waits after so many attempts: twice as long each time, an hour at most."""
    doubled: timedelta = _FIRST_PAUSE * 2 ** (attempts - 1)
    return min(doubled, _LONGEST_PAUSE)


def send_due() -> int:
    """Send what is due; returns how many were sent. Several at once share the work; a killed one delays its mail."""
    if not is_configured():
        return 0
    sent = 0
    connection = django_mail.get_connection()
    try:
        for _ in range(_BATCH):
            mail = _claim()
            if mail is None:
                break
            try:
                sent += _send(mail, connection)
            except OSError as error:  # of which the errors of SMTP are a kind
                # Spare the others their attempts: where one cannot be handed over, none can.
                _failed(mail, error)
                now = clock.now()
                due = Mail.objects.filter(state=Mail.State.WAITING, next_attempt_at__lte=now)
                waiting = due.update(next_attempt_at=now + _FIRST_PAUSE)
                log.warning("mail.server_failed", error=str(error), waiting=waiting + 1)
                break
    finally:
        connection.close()
    return sent


def retry(mail: Mail) -> bool:
    """Let a mail that was set aside be tried anew, from now on; False where it was not."""
    parked = Mail.objects.filter(pk=mail.pk, state=Mail.State.PARKED)
    now = clock.now()
    return bool(
        parked.update(
            state=Mail.State.WAITING, attempts=0, next_attempt_at=now, finished_at=None, trouble=""
        )
    )


def forget_old() -> int:
    """Delete what was finished 30 days ago or earlier; returns how many."""
    return delete_in_batches(Mail.objects.filter(finished_at__lt=clock.now() - KEPT), _ROWS)


@transaction.atomic
def _claim() -> Mail | None:
    """Count the attempt before it is made: whatever becomes of this process, the mail's next one is later."""
    now = clock.now()
    is_due = Q(next_attempt_at__lte=now) | Q(next_attempt_at__gt=now + _UNHEARD_OF)
    due = Mail.objects.filter(is_due, state=Mail.State.WAITING)
    mail = due.order_by("next_attempt_at", "pk").select_for_update(skip_locked=True).first()
    if mail is None:
        return None
    mail.attempts += 1
    mail.next_attempt_at = now + pause_after(mail.attempts)
    mail.save(update_fields=["attempts", "next_attempt_at"])
    return mail


def _send(mail: Mail, connection: BaseEmailBackend) -> bool:
    """Send one; whether it went out. OSError: the server cannot be used at the moment."""
    try:
        message = write(mail)
        if message is None:
            _finish(mail, Mail.State.NEEDLESS)
            return False
        message.connection = connection
        message.send()
    except (smtplib.SMTPRecipientsRefused, smtplib.SMTPDataError) as error:
        # Whether the server will never take this mail (5xx), rather than not now (4xx).
        codes = [error.smtp_code] if isinstance(error, smtplib.SMTPDataError) else []
        if isinstance(error, smtplib.SMTPRecipientsRefused):
            codes = [code for code, _ in error.recipients.values()]
        if all(code >= 500 for code in codes):
            _finish(mail, Mail.State.PARKED, error)
        else:
            _failed(mail, error)
        return False
    except OSError:
        raise
    except Exception as error:  # one mail that cannot be written must not hold up the others
        log.exception("mail.not_written", mail=mail.pk, kind=mail.kind)
        _failed(mail, error)
        return False
    _finish(mail, Mail.State.SENT)
    return True


def _failed(mail: Mail, error: Exception) -> None:
    if mail.attempts >= MOST_ATTEMPTS:
        _finish(mail, Mail.State.PARKED, error)
    else:
        Mail.objects.filter(pk=mail.pk).update(trouble=_say(error))


def _finish(mail: Mail, state: str, error: Exception | None = None) -> None:
    if state == Mail.State.PARKED:
        log.error("mail.parked", mail=mail.pk, kind=mail.kind, attempts=mail.attempts)
    waiting = Mail.objects.filter(pk=mail.pk, state=Mail.State.WAITING)
    trouble = "" if error is None else _say(error)
    waiting.update(state=state, finished_at=clock.now(), trouble=trouble)


def _say(error: Exception) -> str:
    return Truncator(f"{type(error).__name__}: {error}").chars(500)
