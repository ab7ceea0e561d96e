"""Sign-ins of tests that go past the page."""

from typing import Any

from allauth.account.internal.flows.login import get_authentication_records, record_authentication
from django.contrib.auth.signals import user_logged_in
from django.http import HttpRequest

from accounts.models import User

__all__ = ["let_count"]


def let_count() -> None:
    """Let who is signed in by `Client.force_login` have typed the password just now, as if by the page."""
    user_logged_in.connect(_typed, dispatch_uid="tests.typed_just_now")


def _typed(request: HttpRequest, user: User, **_: Any) -> None:
    if not get_authentication_records(request, user):
        record_authentication(request, user, method="password")
