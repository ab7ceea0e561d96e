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
from foundation.refusals import RefusedError
from foundation.transactions import briefly
from notifications.models import PushSubscription
from notifications.push.addresses import addresses_of

__all__ = ["MOST", "WrongPushKeysError", "browsers_of", "forget_browser", "subscribe"]

MOST = 10  # browsers of an account: with one more the one that was added first goes
_TAKE = """
INSERT INTO notifications_pushsubscription (account_id, endpoint, p256dh, auth)
VALUES (%(account)s, %(endpoint)s, %(p256dh)s, %(auth)s)
ON CONFLICT (endpoint) DO UPDATE SET account_id = excluded.account_id, p256dh = excluded.p256dh,
    failures = 0, paused_until = NULL, trouble = ''
WHERE notifications_pushsubscription.auth = excluded.auth
RETURNING id, xmax = 0
"""


class WrongPushKeysError(RefusedError):
    """Keys that no browser makes, or others than the browser of this address has."""

    code = "wrong_push_keys"
    status = HTTPStatus.UNPROCESSABLE_ENTITY


def subscribe(*, account: User, endpoint: str, p256dh: str, auth: str) -> tuple[int, bool]:
    """Push to this browser from now on; returns its id, and whether it is new.

    A browser that another account had switched on belongs to the one that is signed in now: it knows its secret.
    Raises WrongPushAddressError, WrongPushKeysError.
    """
    _check_keys(p256dh, auth)
    addresses_of(endpoint)
    given: dict[str, Any] = {
        "account": account.pk,
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
        kept = browsers_of(account.pk).order_by("-pk").values_list("pk", flat=True)[:MOST]
        for old in PushSubscription.objects.filter(account=account).exclude(pk__in=list(kept)):
            old.delete()
    return row[0], row[1]


def browsers_of(account_id: int) -> QuerySet[PushSubscription]:
    """The browsers of an account, the one that was added last first."""
    return PushSubscription.objects.filter(account=account_id).order_by("-pk")


def forget_browser(account_id: int, pk: int) -> bool:
    """Push to this browser of the account no more; whether there was one."""
    number, _rows = PushSubscription.objects.filter(account=account_id, pk=pk).delete()
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
