"""Signing in: `Authorization: Bearer` and a server key or a player token. One query every few seconds for each of them
(`api.auth.known`).
"""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any, TypeVar

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from accounts.models import User
from api.auth import credentials
from api.auth.callers import Caller
from api.auth.credentials import Credential
from api.auth.known import KNOWN
from api.auth.stream_rights import acts_as, rights_of
from api.contract.problems import ProblemError
from api.models import PlayerToken, ServerKey
from foundation import clock
from foundation.postgresql.prepared import prepared
from foundation.postgresql.rows import Columns
from ratings.models import Game, Player

__all__ = ["BearerAuthentication"]

Found = TypeVar("Found", ServerKey, PlayerToken)

# Of the account behind a player: nothing to sign in with, and nothing to write to, is kept (`KNOWN`).
_OF_USER = {"id", "username", "is_active"}
_SPARED = [it.name for it in User._meta.concrete_fields if it.name not in _OF_USER]
# Every request waits for one of these.
_KEY, _GAME = Columns(ServerKey, "held"), Columns(Game, "game")
_TOKEN, _OWNER, _USER = (
    Columns(PlayerToken, "held"),
    Columns(Player, "player"),
    Columns(User, "owner", without=_SPARED),
)
_SERVER = f"""
SELECT coalesce(%(at)s::timestamptz, now()), {_KEY.listed}, {_GAME.listed}
FROM api_serverkey AS held LEFT JOIN ratings_game AS game ON game.id = held.game_id
WHERE held.prefix = %(prefix)s
"""  # noqa: S608
_PLAYER = f"""
SELECT coalesce(%(at)s::timestamptz, now()), {_TOKEN.listed}, {_OWNER.listed}, {_GAME.listed}, {_USER.listed},
       issuer.revoked_at, issuer.expires_at
FROM api_playertoken AS held JOIN ratings_player AS named ON named.id = held.player_id
JOIN ratings_player AS player ON player.id = coalesce(named.merged_into_id, named.id)
JOIN ratings_game AS game ON game.id = player.game_id LEFT JOIN accounts_user AS owner ON owner.id = player.user_id
LEFT JOIN api_serverkey AS issuer ON issuer.id = held.issued_by_id
WHERE held.prefix = %(prefix)s
"""  # noqa: S608

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
        if credential.kind == credentials.SERVER:
            # A page sends it, of a site that may call the API.
            if request.headers.get("Origin") in settings.CORS_ALLOWED_ORIGINS:
                words = _("Server keys belong on servers. In a browser, send a player's token.")
                raise ProblemError("key_in_browser", words)
            key = _find(credential, _SERVER, _read_key)
            scopes = frozenset(key.scopes)
            return AnonymousUser(), Caller(server_key=key, scopes=scopes, sealing=credential.text)
        token = _find(credential, _PLAYER, _read_token)
        scopes = frozenset(token.scopes)
        return AnonymousUser(), Caller(token=token, scopes=scopes, sealing=credential.text)

    def authenticate_header(self, request: Request) -> str:
        """What an answer 401 asks for."""
        return 'Bearer realm="api"'


def _read_key(values: Iterator[Any]) -> ServerKey:
    key: ServerKey = _KEY.build(values)
    key.game = _GAME.build(values)
    return key


def _read_token(values: Iterator[Any]) -> PlayerToken:
    token: PlayerToken = _TOKEN.build(values)
    named, token.player = token.player_id, _OWNER.build(values)
    if token.player_id != named:  # who was merged
        token.player.named_as = named
    token.player.game = _GAME.build(values)
    token.player.user = _USER.build(values)
    # A token is good no longer than the key that made it, whatever became of that since.
    issuer_revoked_at, issuer_expires_at = next(values), next(values)
    token.revoked_at = token.revoked_at or issuer_revoked_at
    ends = [moment for moment in (token.expires_at, issuer_expires_at) if moment is not None]
    token.expires_at = min(ends, default=None)
    return token


def _find(credential: Credential, statement: str, read: Callable[[Iterator[Any]], Found]) -> Found:
    """Return the key or token that is meant; it must be genuine and good now."""
    name, mark, replaced = f"{credential.kind}_{credential.prefix}", KNOWN.mark(), clock.replaced()
    known = None if replaced else KNOWN.look(name)
    if known is not None:
        now, row = known
    else:
        with prepared() as cursor:
            cursor.execute(statement, {"prefix": credential.prefix, "at": replaced})
            read_row = cursor.fetchone()
        if read_row is None:
            raise _unknown()
        now, *columns = read_row
        row = tuple(columns)
    found = read(iter(row))
    if not credentials.matches(credential, found.digest):
        raise _unknown()
    if found.revoked_at is not None:
        raise ProblemError("revoked_token", _("This key or token was revoked."))
    if found.expires_at is not None and found.expires_at <= now:
        when = found.expires_at.isoformat(timespec="seconds")
        raise ProblemError("expired_token", _("It expired at %(when)s.") % {"when": when})
    owner = found.player.user if isinstance(found, PlayerToken) else None
    if owner is not None and not owner.is_active:
        raise ProblemError("account_closed", _("The account of this player is closed."))
    if known is not None:
        return found
    if not replaced:
        KNOWN.keep(name, row, rights_of(found) | _acts_as(found), now, mark)
    # When it was used last is written once a minute at most, however many ask at once.
    before = now - USED_EVERY
    if found.last_used_at is None or found.last_used_at <= before:
        stale = Q(last_used_at=None) | Q(last_used_at__lte=before)
        rows: QuerySet[Any] = type(found)._default_manager.filter(stale, pk=found.pk)
        rows.update(last_used_at=now)
    return found


def _acts_as(found: ServerKey | PlayerToken) -> set[str]:
    """What else the row hangs on: that whom a token names is merged, or is not."""
    if isinstance(found, ServerKey):
        return set()
    return {acts_as(found.player.named_as or found.player_id, found.player_id)}


def _unknown() -> ProblemError:
    return ProblemError("invalid_token", _("There is no such key or token."))
