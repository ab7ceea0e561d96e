"""Sending what waits, trying again later where that fails, and setting aside what cannot be sent."""

from datetime import timedelta

import structlog
from django.core.mail import EmailMessage
from django.db import transaction
from django.utils.text import Truncator

from accounts.mail.waiting import FIRST_PAUSE, LONGEST_PAUSE, WaitingMails, send_all
from accounts.mail.write import write
from accounts.models import Mail
from foundation import clock
from foundation.postgresql.rows import delete_in_batches
from foundation.timekeeping.attempts import Attempts

__all__ = ["KEPT", "MOST_ATTEMPTS", "forget_old", "retry", "send_due"]

log = structlog.get_logger(__name__)

MOST_ATTEMPTS = 20  # half a day, with the pauses between them
KEPT = timedelta(days=30)  # after a mail is finished
_ROWS = 5000


class _Mails(WaitingMails[Mail]):
    """The mails of accounts."""

    attempts = Attempts(FIRST_PAUSE, LONGEST_PAUSE)

    @transaction.atomic
    def claim(self) -> Mail | None:
        """The next that is due, its attempt counted."""
        now = clock.now()
        is_due = self.attempts.is_due("next_attempt_at", now)
        due = Mail.objects.filter(is_due, state=Mail.State.WAITING)
        mail = due.order_by("next_attempt_at", "pk").select_for_update(skip_locked=True).first()
        if mail is None:
            return None
        mail.attempts += 1
        mail.next_attempt_at = now + self.attempts.pause_after(mail.attempts)
        mail.save(update_fields=["attempts", "next_attempt_at"])
        return mail

    def write(self, row: Mail) -> EmailMessage | None:
        """As `accounts.mail.write` has it."""
        return write(row)

    def sent(self, row: Mail) -> None:
        """Keep it as sent."""
        _finish(row, Mail.State.SENT)

    def needless(self, row: Mail) -> None:
        """Keep it as needless."""
        _finish(row, Mail.State.NEEDLESS)

    def failed(self, row: Mail, error: Exception, *, for_good: bool = False) -> None:
        """Note the trouble, or set it aside."""
        if for_good or row.attempts >= MOST_ATTEMPTS:
            _finish(row, Mail.State.PARKED, error)
        else:
            Mail.objects.filter(pk=row.pk).update(trouble=_say(error))

    def not_written(self, row: Mail, error: Exception) -> None:
        """Log which one."""
        log.error("mail.not_written", mail=row.pk, kind=row.kind, exc_info=error)

    def spare(self, error: Exception) -> None:
        """Let the others wait for a pause."""
        now = clock.now()
        is_due = self.attempts.is_due("next_attempt_at", now)
        due = Mail.objects.filter(is_due, state=Mail.State.WAITING)
        waiting = due.update(next_attempt_at=now + FIRST_PAUSE)
        log.warning("mail.server_failed", error=str(error), waiting=waiting + 1)


def send_due() -> int:
    """Send what is due; returns how many were sent."""
    return send_all(_Mails())


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


def _finish(mail: Mail, state: str, error: Exception | None = None) -> None:
    if state == Mail.State.PARKED:
        log.error("mail.parked", mail=mail.pk, kind=mail.kind, attempts=mail.attempts)
    waiting = Mail.objects.filter(pk=mail.pk, state=Mail.State.WAITING)
    trouble = "" if error is None else _say(error)
    waiting.update(state=state, finished_at=clock.now(), trouble=trouble)


def _say(error: Exception) -> str:
    return Truncator(f"{type(error).__name__}: {error}").chars(500)
