"""Sending what is due by mail, trying again later where that fails, and giving up at last."""

import structlog
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import Q

from accounts.mail import is_configured
from accounts.mail.waiting import FIRST_PAUSE, LONGEST_PAUSE, WaitingMails, send_all
from foundation import clock, timekeeping
from foundation.timekeeping.attempts import Attempts
from notifications.mail.write import write
from notifications.models import Delivery, Way
from notifications.preferences import postponed
from notifications.quiet import LONGEST

__all__ = ["MOST_ATTEMPTS", "send_due"]

log = structlog.get_logger(__name__)

MOST_ATTEMPTS = 12  # some six hours, with the pauses between them


class _Mails(WaitingMails[Delivery]):
    """What players are told by mail."""

    attempts = Attempts(FIRST_PAUSE, LONGEST_PAUSE, farthest=LONGEST)

    @transaction.atomic
    def claim(self) -> Delivery | None:
        """The next that is due, its attempt counted."""
        now = clock.now()
        of_use = Q(until=None) | Q(until__gt=now)
        due = Delivery.objects.filter(of_use, self.attempts.is_due("due_at", now), way=Way.MAIL)
        held = due.select_for_update(skip_locked=True, of=("self",))
        mail = held.select_related("notice__player").order_by("due_at", "pk").first()
        if mail is None:
            return None
        mail.attempts += 1
        mail.due_at = now + self.attempts.pause_after(mail.attempts)
        mail.save(update_fields=["attempts", "due_at"])
        return mail

    def is_put_off(self, row: Delivery) -> bool:
        """Whether the player sleeps by now."""
        return postponed(row)

    def write(self, row: Delivery) -> EmailMessage | None:
        """As `notifications.mail.write` has it."""
        return write(row.notice)

    def sent(self, row: Delivery) -> None:
        """Nothing is left to do."""
        _end(row)

    def needless(self, row: Delivery) -> None:
        """Nothing is left to do."""
        _end(row)

    def failed(self, row: Delivery, error: Exception, *, for_good: bool = False) -> None:
        """Give it up where it was tried often enough."""
        if for_good or row.attempts >= MOST_ATTEMPTS:
            log.error(
                "notices.mail_given_up",
                notice=row.notice_id,
                attempts=row.attempts,
                error=type(error).__name__,
            )
            _end(row)

    def not_written(self, row: Delivery, error: Exception) -> None:
        """Log which one."""
        said = {"notice": row.notice_id, "kind": row.notice.kind}
        log.error("notices.mail_not_written", exc_info=error, **said)

    def spare(self, error: Exception) -> None:
        """Let the others wait for a pause."""
        now = clock.now()
        due = Delivery.objects.filter(self.attempts.is_due("due_at", now), way=Way.MAIL)
        due.update(due_at=now + FIRST_PAUSE)
        log.warning("notices.mail_server_failed", error=str(error))


def send_due() -> int:
    """Send what is due; returns how many mails were sent. Several at once share the work.

    An attempt is counted before it is made: one whose process is killed is made once more, later; no mail is lost, and
    one that had gone out already goes out twice at most.
    """
    if not is_configured():
        return 0
    # What is of no use any more is not sent, see `claim`; here it goes.
    # Not by a clock that is not believed: there may be time left for it.
    if timekeeping.is_steady():
        Delivery.objects.filter(way=Way.MAIL, until__lte=clock.now()).delete()
    return send_all(_Mails())


def _end(mail: Delivery) -> None:
    Delivery.objects.filter(pk=mail.pk).delete()
