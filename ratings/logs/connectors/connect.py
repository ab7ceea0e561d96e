"""Making a connector: a secret is drawn, shown once, and kept as a digest."""

import secrets
from hashlib import sha256
from hmac import compare_digest

from django.db import transaction
from django.db.models import F

from accounts import audit
from accounts.audited_admin import snapshot
from accounts.audited_changes import check_columns
from foundation import clock
from foundation.metrics import DROPPED_SENDINGS
from ratings.models import ConnectorKind, GameServer, ServerConnector

__all__ = ["connect", "count_dropped", "digest_of", "drop", "is_secret_of"]

_RECORDED = ("kind", "address", "port", "by_name", "free_for_all")
# What a server of the Source family takes as a number, also where numbers end at 2,147,483,647, and not as 0.
_NUMBERS = 10**9, 2 * 10**9


@transaction.atomic
def connect(
    server: GameServer,
    kind: ConnectorKind,
    *,
    address: str | None = None,
    port: int | None = None,
    by_name: bool = False,
    free_for_all: bool = False,
    is_secret: bool = True,
) -> str:
    """Let a server be heard in one way, and in no other any more; returns its new secret, empty without one.

    What was counted, and a match that goes on, stay where the kind does. Raises ValidationError.
    """
    secret = _draw(kind) if is_secret else ""
    given = {
        "address": address,
        "port": port,
        "by_name": by_name,
        "free_for_all": free_for_all,
    }
    checked = check_columns(ServerConnector(), given)
    GameServer.objects.select_for_update(no_key=True).get(pk=server.pk)  # one makes it, others wait
    there = ServerConnector.objects.select_for_update(no_key=True).filter(server=server).first()
    before = {} if there is None else snapshot(there, _RECORDED)
    made = there or ServerConnector(server=server)
    if made.kind != kind:
        made.state = {}
    made.kind, made.secret_digest = kind, digest_of(secret) if secret else ""
    for name, value in checked.items():
        setattr(made, name, value)
    made.validate_constraints()
    if there is None:
        made.save(force_insert=True)
    else:
        made.save(update_fields=[*_RECORDED, "secret_digest", "state"])
    after = snapshot(made, _RECORDED)
    audit.record(actor=None, action="server.connected", target=server, before=before, after=after)
    return secret


def digest_of(secret: str) -> str:
    """What is kept of a secret."""
    return sha256(secret.encode()).hexdigest()


def is_secret_of(connector: ServerConnector, secret: str) -> bool:
    """Whether somebody knows the secret of a connector; in a time that does not tell how far it is right."""
    digest = digest_of(secret)
    return bool(secret) and compare_digest(digest, connector.secret_digest)


def drop(connector: int, why: str) -> None:
    """Count what pretended to come from a server: `why` is `secret` or `address`."""
    DROPPED_SENDINGS.labels(why).inc()
    count_dropped(connector, 1)


def count_dropped(connector: int, count: int) -> None:
    """Note so many beside the connector whose they pretended to be."""
    ServerConnector.objects.filter(pk=connector).update(
        dropped=F("dropped") + count, last_dropped_at=clock.now()
    )


def _draw(kind: ConnectorKind) -> str:
    if kind == ConnectorKind.SOURCE:
        low, high = _NUMBERS
        return str(low + secrets.randbelow(high - low))
    return secrets.token_urlsafe(24)
