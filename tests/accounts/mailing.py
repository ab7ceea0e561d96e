"""A site with a mail server, and one without: what the settings are in either."""

from typing import Any

from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.core import mail as django_mail
from django.test import Client, override_settings
from django.urls import reverse

from accounts.mail.send import send_due
from accounts.models import User

__all__ = ["PASSWORD", "add_address", "confirm", "key_of", "links", "sign_up", "with_mail"]

PASSWORD = "a long walk home"


def with_mail(configured: bool = True) -> override_settings:
    """The settings of `config.settings.base` with or without EMAIL_HOST."""
    return override_settings(
        MAIL_CONFIGURED=configured,
        ACCOUNT_SIGNUP_FIELDS=[
            "username*",
            *(["email*"] if configured else []),
            "password1*",
            "password2*",
        ],
        ACCOUNT_EMAIL_VERIFICATION="mandatory" if configured else "none",
    )


def sign_up(client: Client, name: str, address: str = "") -> Any:
    """Fill in the page as a person does."""
    given = {"username": name, "password1": PASSWORD, "password2": PASSWORD}
    return client.post("/accounts/signup/", {**given, "email": address} if address else given)


def add_address(user: User, address: str, *, verified: bool, primary: bool = False) -> EmailAddress:
    """Give the account an address past the pages."""
    return EmailAddress.objects.create(user=user, email=address, verified=verified, primary=primary)


def key_of(address: EmailAddress) -> str:
    """The page that the mail leads to."""
    return reverse("account_confirm_email", args=[EmailConfirmationHMAC(address).key])


def confirm(client: Client, address: EmailAddress) -> Any:
    """Follow the link of the mail and press the button."""
    page = key_of(address)
    client.get(page)
    return client.post(page)


def links() -> list[tuple[str, str]]:
    """Send what is due; the address of each mail, and the path of the link in it."""
    before = len(django_mail.outbox)
    send_due()
    found = []
    for message in django_mail.outbox[before:]:
        lines = message.body.splitlines()
        link = next(line for line in lines if line.startswith("http"))
        found.append((message.to[0], "/" + link.split("/", 3)[3]))
    return found
