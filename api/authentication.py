"""Signing in: `Authorization: Bearer` and a server key or a player token. One query a request."""

from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from api import credentials
from api.callers import Caller
from api.credentials import Credential
from api.models import PlayerToken, ServerKey
from api.problems import ProblemError
from foundation import clock

__all__ = ["BearerAuthentication"]

USED_EVERY = timedelta(minutes=1)


class BearerAuthentication(BaseAuthentication):
    """Makes a `Caller` of the header. Cookies are never looked at, so requests need no CSRF token."""

    def authenticate(self, request: Request) -> tuple[AnonymousUser, Caller] | None:
        """Return the caller as `request.auth`, None without a header; anything wrong with it is refused."""
        header = request.headers.get("Authorization", "")
        if not header:
            return None
        scheme, _space, text = header.partition(" ")
        credential = credentials.parse(text.strip()) if scheme.lower() == "bearer" else None
        if credential is None:
            raise ProblemError(
                "invalid_token",
                _("“Authorization” must be “Bearer” and a key or token, which begins with em_."),
            )
        return AnonymousUser(), _caller_of(credential)

    def authenticate_header(self, request: Request) -> str:
        """What an answer 401 asks for."""
        return 'Bearer realm="api"'


def _caller_of(credential: Credential) -> Caller:
    if credential.kind == credentials.SERVER:
        key = _find(ServerKey.objects.select_related("game"), credential)
        return Caller(server_key=key, scopes=frozenset(key.scopes), sealing=credential.text)
    token = _find(PlayerToken.objects.select_related("player__game", "player__user"), credential)
    user = token.player.user
    if user is not None and not user.is_active:
        raise ProblemError("account_closed", _("The account of this player is closed."))
    return Caller(token=token, scopes=frozenset(token.scopes), sealing=credential.text)


def _find(rows: QuerySet[Any], credential: Credential) -> Any:
    """Return the key or token that is meant; it must be genuine and good now."""
    found = rows.filter(prefix=credential.prefix).annotate(now=clock.now_in_query()).first()
    if found is None or not credentials.matches(credential, found.digest):
        raise ProblemError("invalid_token", _("There is no such key or token."))
    if found.revoked_at is not None:
        raise ProblemError("revoked_token", _("This key or token was revoked."))
    if found.expires_at is not None and found.expires_at <= found.now:
        when = found.expires_at.isoformat(timespec="seconds")
        raise ProblemError("expired_token", _("It expired at %(when)s.") % {"when": when})
    _note_use(found, found.now)
    return found


def _note_use(found: Any, now: datetime) -> None:
    """Write when it was used last: once a minute at most, however many ask at once."""
    if found.last_used_at is not None and found.last_used_at > now - USED_EVERY:
        return
    stale = Q(last_used_at=None) | Q(last_used_at__lte=now - USED_EVERY)
    type(found).objects.filter(stale, pk=found.pk).update(last_used_at=now)
