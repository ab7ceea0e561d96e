"""Asking for a mail. The row says what kind to whom; who they are and which link is looked up when it is sent."""

from functools import partial

from django.db import transaction
from django.utils.translation import get_language

from accounts.models import Mail, User
from accounts.tasks import send_mails
from foundation.wakeups import wake

__all__ = ["post_confirmation", "post_reset"]


def post_confirmation(account: User, address: str) -> None:
    """Ask for the mail whose link confirms that `address` belongs to `account`."""
    _post(Mail(kind=Mail.Kind.CONFIRM, account=account, address=address.lower()))


def post_reset(address: str) -> None:
    """Ask for the mail by which whoever reads `address` sets a new password, if an account has confirmed it.

    Whether one has is not looked at here: what a request does, and how long it takes, says nothing about that.
    """
    _post(Mail(kind=Mail.Kind.RESET, address=address.lower()))


def _post(mail: Mail) -> None:
    """A mail of the same kind to the same address that still waits is enough."""
    mail.language = get_language() or "en"
    Mail.objects.bulk_create([mail], ignore_conflicts=True)
    transaction.on_commit(partial(wake, send_mails))
