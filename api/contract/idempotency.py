"""Doing what a request asks once, however often it comes: the header `Idempotency-Key`.

The row with the key is inserted first, in the transaction of the effect. Whoever comes with the same key meanwhile
waits at the unique index until that transaction ends. So effect and stored answer are both there or neither, whatever
is killed; and a request that was refused leaves no row, so that it may be tried again.

Answers that show a secret are stored sealed, so that the database alone does not give it away. The key stream is
SHAKE-256 of the caller's own secret, which is kept nowhere, and of the row's number, which is used once. Only a request
that brings the same secret again opens the answer.
"""

import json
from collections.abc import Callable, Collection
from datetime import timedelta
from hashlib import sha256, shake_256
from typing import Any

from django.db import OperationalError, connection, transaction
from django.http import HttpResponse
from django.utils.translation import gettext as _
from psycopg.errors import LockNotAvailable
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.callers import Caller
from api.contract.problems import ProblemError
from api.models import StoredAnswer
from foundation import clock
from foundation.postgresql.prepared import prepared
from foundation.postgresql.transactions import briefly

__all__ = [
    "KEPT_FOR",
    "LONGEST_KEY",
    "answer_once",
    "forget_old_answers",
    "forget_player_in_answers",
    "key_of",
]

KEPT_FOR = timedelta(hours=48)
LONGEST_KEY = 255
_BATCH = 5000
_INSERT = """
INSERT INTO api_storedanswer (principal, key, request, body, location) VALUES (%s, %s, %s, '', '')
ON CONFLICT (principal, key) DO NOTHING RETURNING id
"""
# Shapes name a player by number and name, one behind the other (`PlayerRefShape`); what is told of single results of a
# batch names players in words: there a short name may forget more than it must. Without its body the row still says
# that the request was carried out.
_FORGET = """
UPDATE api_storedanswer SET body = ''
WHERE position(%(player)s::bytea IN body) > 0 OR (
    position('"detail":'::bytea IN body) > 0
    AND EXISTS (SELECT FROM unnest(%(words)s::bytea[]) AS word WHERE position(word IN body) > 0)
)
"""
_DELETE = """
DELETE FROM api_storedanswer WHERE id IN (
    SELECT id FROM api_storedanswer WHERE created_at < %s ORDER BY created_at LIMIT %s FOR UPDATE SKIP LOCKED
)
"""


def key_of(request: Request) -> str | None:
    """The key of a request, None without one."""
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return None
    if not 1 <= len(key) <= LONGEST_KEY or not key.isascii() or not key.isprintable():
        words = _("“Idempotency-Key” must be 1 to 255 printable ASCII characters.")
        raise ProblemError("invalid_idempotency_key", words)
    return key


def answer_once(
    request: Request,
    caller: Caller,
    key: str,
    act: Callable[[], HttpResponse],
    *,
    is_secret: bool,
    is_gone: Callable[[Any], bool],
) -> HttpResponse:
    """Carry `act` out and keep its answer, or give the answer that is kept. Refusals pass through.

    `is_secret`: the answer shows a secret and is sealed. Sealed ones are not found when a person is deleted: `is_gone`
    says of what one tells whether it is about somebody who was.
    """
    # The order of the names in the body does not matter, but where it is taken as it came.
    sent: Any = request.data
    if not isinstance(sent, bytes):
        sent = json.dumps(sent, sort_keys=True, separators=(",", ":")).encode()
    said = f"{request.method} {request.get_full_path()}\n".encode()
    fingerprint = sha256(said + sent).hexdigest()
    with briefly():
        try:
            # Waits for a transaction that is about to decide whether there is such a row.
            with prepared() as cursor:
                cursor.execute(_INSERT, [caller.principal, key, fingerprint])
                inserted: tuple[int] | None = cursor.fetchone()
        except OperationalError as error:
            if isinstance(error.__cause__, LockNotAvailable):
                raise _in_progress() from error
            raise
        if inserted is not None:
            response = act()
            if response.status_code >= 300:
                transaction.set_rollback(True)
                return response
            body: bytes = (
                JSONRenderer().render(response.data)
                if isinstance(response, Response)
                else response.content
            )
            row, location = inserted[0], response.get("Location", "")
            stored = seal(body, secret=caller.sealing, row=row) if is_secret else body
            StoredAnswer.objects.filter(pk=row).update(
                status=response.status_code, body=stored, location=location
            )
            return _as_json(body, response.status_code, location)
    kept = StoredAnswer.objects.filter(principal=caller.principal, key=key).first()
    if kept is None:  # forgotten this very moment
        raise _in_progress()
    if kept.request != fingerprint:
        words = _("This Idempotency-Key was already used with another address or body.")
        raise ProblemError("idempotency_key_reused", words)
    body = bytes(kept.body)
    if is_secret and body:
        body = seal(body, secret=caller.sealing, row=kept.pk)
        if is_gone(json.loads(body)):
            body = b""
    if not body:
        words = _(
            "This was carried out (status %(status)s) and is not carried out again. Its answer named somebody who was "
            "deleted since, and is kept no more."
        )
        headers = {"Location": kept.location} if kept.location else None
        detail = words % {"status": kept.status}
        raise ProblemError("answer_gone", detail, headers=headers, done=kept.status)
    response = _as_json(body, kept.status or 200, kept.location)
    response["Idempotent-Replayed"] = "true"
    return response


def forget_old_answers() -> int:
    """Delete answers older than 48 hours, some at a time; returns how many."""
    before, deleted = clock.now() - KEPT_FOR, 0
    while True:
        with connection.cursor() as cursor:
            cursor.execute(_DELETE, [before, _BATCH])
            gone: int = cursor.rowcount
        deleted += gone
        if gone < _BATCH:
            return deleted


def forget_player_in_answers(player_id: int, names: Collection[str]) -> None:
    """Forget what was answered to a player, and what answers to others tell of it by any of these names or ids in the
    game. Looks through all that is kept. What was done by these keys is not done again.
    """
    StoredAnswer.objects.filter(principal=f"player:{player_id}").delete()
    in_bodies = [JSONRenderer().render(name)[1:-1] for name in names]
    given: dict[str, Any] = {
        "player": f'"id":{player_id},"name":'.encode(),
        "words": in_bodies,
    }
    with connection.cursor() as cursor:
        cursor.execute(_FORGET, given)


def _as_json(body: bytes, status: int, location: str) -> HttpResponse:
    response = HttpResponse(body, status=status, content_type="application/json")
    if location:
        response["Location"] = location
    return response


def _in_progress() -> ProblemError:
    words = _("A request with this Idempotency-Key is being carried out. Ask again in a second.")
    return ProblemError("in_progress", words, headers={"Retry-After": "1"})


def seal(body: bytes, *, secret: str, row: int) -> bytes:
    """Seal `body`, or open it: the same step undoes itself."""
    stream = shake_256(f"{row}:{secret}".encode()).digest(len(body))
    return bytes(a ^ b for a, b in zip(body, stream, strict=True))
