"""Handing mails that wait in rows of the database to the server: one after the other, and none held up by another."""

import smtplib
from abc import ABC, abstractmethod
from datetime import timedelta
from typing import Generic, TypeVar

from django.core import mail as django_mail
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend

from accounts.mail import is_configured
from foundation.timekeeping.attempts import Attempts

__all__ = ["FIRST_PAUSE", "LONGEST_PAUSE", "WaitingMails", "send_all"]

FIRST_PAUSE = timedelta(seconds=30)
LONGEST_PAUSE = timedelta(hours=1)
_BATCH = 100

Row = TypeVar("Row")


class WaitingMails(ABC, Generic[Row]):
    """Rows that say what mails are to be sent, and what becomes of each. `attempts`: when they are tried again."""

    attempts: Attempts

    @abstractmethod
    def claim(self) -> Row | None:
        """The next that is due. Its attempt is counted before it is made: whatever becomes of this process, the next
        one is later.
        """

    def is_put_off(self, row: Row) -> bool:
        """Whether this one waits for another moment after all."""
        return False

    @abstractmethod
    def write(self, row: Row) -> EmailMessage | None:
        """The message; None where there is nothing to say any more."""

    @abstractmethod
    def sent(self, row: Row) -> None:
        """The server has taken it."""

    @abstractmethod
    def needless(self, row: Row) -> None:
        """There was nothing to say any more."""

    @abstractmethod
    def failed(self, row: Row, error: Exception, *, for_good: bool = False) -> None:
        """It did not go out. `for_good`: the server will never take it."""

    @abstractmethod
    def not_written(self, row: Row, error: Exception) -> None:
        """Note an error that is of this mail, or of this site, rather than of the server."""

    @abstractmethod
    def spare(self, error: Exception) -> None:
        """The server cannot be used: all that is due waits for a pause, and loses no attempt by it."""


def send_all(mails: WaitingMails[Row]) -> int:
    """Send what is due; returns how many were sent. Several at once share the work; a killed one delays its mail."""
    if not is_configured():
        return 0
    sent = 0
    connection = django_mail.get_connection()
    try:
        for _ in range(_BATCH):
            row = mails.claim()
            if row is None:
                break
            try:
                sent += not mails.is_put_off(row) and _send(mails, row, connection)
            except OSError as error:  # of which the errors of SMTP are a kind
                # Spare the others their attempts: where one cannot be handed over, none can.
                mails.failed(row, error)
                mails.spare(error)
                break
    finally:
        connection.close()
    return sent


def _send(mails: WaitingMails[Row], row: Row, connection: BaseEmailBackend) -> bool:
    """Send one; whether it went out. OSError: the server cannot be used at the moment."""
    try:
        message = mails.write(row)
        if message is None:
            mails.needless(row)
            return False
        message.connection = connection
        message.send()
    except (smtplib.SMTPRecipientsRefused, smtplib.SMTPDataError) as error:
        # Whether the server will never take this mail (5xx), rather than not now (4xx).
        codes = [error.smtp_code] if isinstance(error, smtplib.SMTPDataError) else []
        if isinstance(error, smtplib.SMTPRecipientsRefused):
            codes = [code for code, _ in error.recipients.values()]
        mails.failed(row, error, for_good=all(code >= 500 for code in codes))
        return False
    except OSError:
        raise
    except Exception as error:  # one mail that cannot be written must not hold up the others
        mails.not_written(row, error)
        mails.failed(row, error)
        return False
    mails.sent(row)
    return True
