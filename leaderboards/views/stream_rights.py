"""By which right a visitor's pages listen: an account that is open, with the password it signed in with."""

from collections.abc import Collection

from django.contrib.sessions.models import Session
from django.http import HttpRequest

from accounts.models import User
from events.live import Reader, broadcast_ended
from foundation import clock
from foundation.requests.addresses import address_of

__all__ = ["begin_anew", "good_accounts", "good_sessions", "reader_of"]


def reader_of(request: HttpRequest) -> Reader:
    """The visitor as one who listens; what hangs on signing in ends with it."""
    user = request.user
    if not user.is_authenticated:
        return Reader(address=address_of(request))
    rights = [_right_of(user)]
    if key := request.session.session_key:
        rights.append(f"session:{key}")
    return Reader(
        address=address_of(request), principal=f"account:{user.pk}", rights=frozenset(rights)
    )


def begin_anew(accounts: Collection[User]) -> None:
    """End the streams of accounts whose players have changed: their pages open others, and hear of the right ones."""
    broadcast_ended(_right_of(user) for user in accounts)


def good_sessions(keys: Collection[str]) -> set[str]:
    """Those of the sessions that are still there."""
    found = Session.objects.filter(session_key__in=keys, expire_date__gt=clock.now())
    return set(found.values_list("session_key", flat=True))


def good_accounts(names: Collection[str]) -> set[str]:
    """Those of `<id>-<digest of the password>` whose account is open and has this password."""
    ids = [int(name.partition("-")[0]) for name in names]
    open_ones = User.objects.filter(pk__in=ids, is_active=True)
    return {_right_of(user).partition(":")[2] for user in open_ones} & set(names)


def _right_of(user: User) -> str:
    return f"account:{user.pk}-{user.get_session_auth_hash()}"
