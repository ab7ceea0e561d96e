"""When a sign-in was last used, to some minutes: its owner looks for one that should not be there."""

import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth.signals import user_logged_in
from django.db import DatabaseError, connection
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

__all__ = ["LastUsedMiddleware"]

_EVERY = 600.0  # seconds; each web process writes once in them, in one statement
_REMEMBERED = 10_000  # sign-ins
_written: OrderedDict[str, float] = OrderedDict()


class LastUsedMiddleware:
    """Writes it down after requests that have asked who is signed in; others it does not make ask."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        user = getattr(request, "_cached_user", None)
        if user is not None and user.is_authenticated and (key := request.session.session_key):
            _note(key)
        return response


@receiver(user_logged_in, dispatch_uid="accounts.sign_in_is_new")
def _is_new(request: HttpRequest, **_: Any) -> None:
    """The row of a new sign-in is written with it."""
    if key := request.session.session_key:
        _remember(key)


def _note(key: str) -> None:
    if time.monotonic() - _written.get(key, -_EVERY) < _EVERY or settings.FREE_SPACE.shortage():
        return
    _remember(key)
    if connection.needs_rollback:
        return
    with suppress(DatabaseError):  # the page is shown all the same
        UserSession.objects.filter(session_key=key).update(last_seen_at=timezone.now())


def _remember(key: str) -> None:
    _written.pop(key, None)
    _written[key] = time.monotonic()
    if len(_written) > _REMEMBERED:
        _written.popitem(last=False)
