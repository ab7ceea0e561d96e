"""Accounts with an app, and the codes that it shows."""

import time
from typing import Any

from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value
from django.test import Client

from accounts.models import User
from tests.accounts.mailing import PASSWORD

__all__ = ["SECRET", "code", "first_step", "second_step", "set_up"]

SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


def code(secret: str = SECRET, *, later: int = 0) -> str:
    """What the app shows now, or so many half minutes later."""
    shown: str = format_hotp_value(hotp_value(secret, int(time.time()) // 30 + later))
    return shown


def set_up(user: User) -> list[str]:
    """Give the account an app with SECRET past the pages; its recovery codes."""
    TOTP.activate(user, SECRET)
    codes: list[str] = RecoveryCodes.activate(user).get_unused_codes()
    user.refresh_from_db()
    return codes


def first_step(name: str, client: Client | None = None, **where: Any) -> Client:
    """Type the password."""
    client = client or Client()
    client.post("/accounts/login/", {"login": name, "password": PASSWORD, **where})
    return client


def second_step(client: Client, typed: str) -> Any:
    """Type the code."""
    return client.post("/accounts/2fa/authenticate/", {"code": typed})
