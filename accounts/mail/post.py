"""Asking for a mail. The row says of which kind and to which address; links are made when it is sent."""

from collections.abc import Iterable

from allauth.account.models import EmailAddress
from django.utils.translation import get_language

from accounts.mail import is_configured
from accounts.models import Mail, User
from foundation.postgresql.transactions import after_commit
from foundation.wakeups import wake

__all__ = ["post_confirmation", "post_notice", "post_reset"]


def post_confirmation(account: User, address: str) -> None:
    """Ask for the mail whose link confirms that `address` belongs to `account`."""
    _post([Mail(kind=Mail.Kind.CONFIRM, account=account, address=address.lower())])


def post_reset(address: str) -> None:
    """Ask for the mail by which whoever reads `address` sets a new password, if an account has confirmed it.

    Whether one has is not looked at here: what a request does, and how long it takes, says nothing about that.
    """
    _post([Mail(kind=Mail.Kind.RESET, address=address.lower())])


def post_notice(
    kind: Mail.Kind, account: User, *, of: EmailAddress | None = None, also: Iterable[str] = ()
) -> None:
    """Ask for mails that tell of a change to an account, to each address it has confirmed and to those in `also`.

    `of` is the address that was changed. One that was just added or confirmed hears nothing: whoever reads it knows.
    Not kept where the site sends no mail: told a year later it would only frighten.
    """
    if not is_configured():
        return
    known = EmailAddress.objects.filter(user=account, verified=True)
    addresses = {*known.values_list("email", flat=True), *also}
    if of is not None and kind in {Mail.Kind.ADDED, Mail.Kind.CONFIRMED}:
        addresses.discard(of.email)
    detail = of.email if of else ""
    mails = [Mail(kind=kind, account=account, address=to, detail=detail) for to in addresses]
    _post(sorted(mails, key=lambda mail: mail.address))


def _post(mails: list[Mail]) -> None:
    """A mail of the same kind to the same address that still waits is enough."""
    for mail in mails:
        mail.language = get_language() or "en"
    Mail.objects.bulk_create(mails, ignore_conflicts=True)
    after_commit(wake, "accounts.send_mails")
