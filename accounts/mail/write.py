"""Writing a mail, in the moment in which it is sent: links are made here and kept nowhere."""

from collections.abc import Callable
from typing import Any

from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation

from accounts.entrance.links import link_to_reset
from accounts.models import Mail

__all__ = ["write"]


def write(mail: Mail) -> EmailMessage | None:
    """The message to send; None where there is nothing to say any more."""
    with translation.override(mail.language):
        found = _WAYS.get(mail.kind, _notice)(mail)
        if found is None:
            return None
        name, context = found
        context["site"] = settings.PUBLIC_URL
        subject = render_to_string(f"account/email/{name}_subject.txt", context)
        body = render_to_string(f"account/email/{name}.txt", context)
    return EmailMessage(" ".join(subject.split()), body.strip() + "\n", to=[mail.address])


def _confirmation(mail: Mail) -> tuple[str, dict[str, Any]] | None:
    rows = EmailAddress.objects.select_related("user")
    address = rows.filter(user_id=mail.account_id, email=mail.address).first()
    if address is None or address.verified:
        return None
    owner = rows.filter(email=mail.address, verified=True).first()
    if owner is not None:
        link = settings.PUBLIC_URL + reverse("account_reset_password")
        return "taken", {"owner": owner.user, "account": address.user, "link": link}
    key = EmailConfirmationHMAC(address).key
    link = settings.PUBLIC_URL + reverse("account_confirm_email", args=[key])
    days = settings.ACCOUNT_EMAIL_CONFIRMATION_EXPIRE_DAYS
    return "confirm", {"account": address.user, "link": link, "days": days}


def _reset(mail: Mail) -> tuple[str, dict[str, Any]] | None:
    rows = EmailAddress.objects.select_related("user")
    address = rows.filter(email=mail.address, verified=True, user__is_active=True).first()
    if address is None:
        return None
    hours = settings.PASSWORD_RESET_TIMEOUT // 3600
    return "reset", {"account": address.user, "link": link_to_reset(address.user), "hours": hours}


def _notice(mail: Mail) -> tuple[str, dict[str, Any]]:
    """What has happened, and what to do where it was somebody else."""
    link = settings.PUBLIC_URL + reverse("account_reset_password")
    return "notice", {
        "account": mail.account,
        "kind": mail.kind,
        "detail": mail.detail,
        "link": link,
    }


_WAYS: dict[str, Callable[[Mail], tuple[str, dict[str, Any]] | None]] = {
    Mail.Kind.CONFIRM: _confirmation,
    Mail.Kind.RESET: _reset,
}
