"""Switching push on and off for a browser."""

import base64
import binascii
from http import HTTPStatus
from typing import Any

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec
from django.db import connection
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from foundation.postgresql.transactions import briefly
from foundation.refusals import RefusedError
from notifications.models import PushSubscription
from notifications.push.addresses import addresses_of

__all__ = ["MOST", "WrongPushKeysError", "browsers_of", "forget_browser", "subscribe"]

# Browsers of an account, and besides of each of its players: with one more the one that was added first goes.
MOST = 10
_TAKE = """
INSERT INTO notifications_pushsubscription (account_id, player_id, endpoint, p256dh, auth)
VALUES (%(account)s, %(player)s::bigint, %(endpoint)s, %(p256dh)s, %(auth)s)
ON CONFLICT (endpoint) DO UPDATE SET account_id = excluded.account_id, player_id = excluded.player_id,
    p256dh = excluded.p256dh, failures = 0, paused_until = NULL, trouble = ''
WHERE notifications_pushsubscription.auth = excluded.auth
RETURNING id, xmax = 0
"""


class WrongPushKeysError(RefusedError):
    """Keys that no browser makes, or others than the browser of this address has."""

    code = "wrong_push_keys"
    status = HTTPStatus.UNPROCESSABLE_ENTITY


def subscribe(
    player_id: int | None = None, /, *, account: User, endpoint: str, p256dh: str, auth: str
) -> tuple[int, bool]:
    """Push to this browser from now on; returns its id, and whether it is new.

    player_id  of whom alone it is told: of whom the caller speaks for; None: of all players of the account

    A browser that another account had switched on belongs to the one that is signed in now: it knows its secret.
    Raises WrongPushAddressError, WrongPushKeysError.
    """
    _check_keys(p256dh, auth)
    addresses_of(endpoint)
    given: dict[str, Any] = {
        "account": account.pk,
        "player": player_id,
        "endpoint": endpoint,
        "p256dh": p256dh,
        "auth": auth,
    }
    with briefly(), connection.cursor() as cursor:
        cursor.execute(_TAKE, given)
        row = cursor.fetchone()
        if row is None:
            raise WrongPushKeysError(
                _("Another browser has this address. Switch push off in the browser, and on again.")
            )
        own = browsers_of(account.pk).filter(player=player_id)
        for old in list(own[MOST:]):
            old.delete()
    return row[0], row[1]


def browsers_of(account_id: int) -> QuerySet[PushSubscription]:
    """The browsers of an account and of its players, the one that was added last first."""
    return PushSubscription.objects.filter(account=account_id).order_by("-pk")


def forget_browser(account_id: int, pk: int, *, player_id: int | None = None) -> bool:
    """Push to this browser of the account no more, or only if it is that player's; whether there was one."""
    own = browsers_of(account_id).filter(pk=pk)
    number, _rows = (own if player_id is None else own.filter(player=player_id)).delete()
    return bool(number)


def _check_keys(p256dh: str, auth: str) -> None:
    try:
        point, secret = _bytes(p256dh), _bytes(auth)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except (ValueError, binascii.Error, UnsupportedAlgorithm):
        secret = b""
    if len(secret) != 16:
        raise WrongPushKeysError(
            _(
                "These are no keys of a browser: take “p256dh” and “auth” as its subscription has them."
            )
        )


def _bytes(text: str) -> bytes:
    if len(text) > 100 or not text.isascii():
        raise ValueError("too long")
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
