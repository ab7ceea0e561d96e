"""What game servers send by HTTP of their own accord: pieces of their logs, and events of MatchZy and Get5.

They know an address and nothing else of this site, so the secret stands in it; who can send a header sends it there.
"""

from http import HTTPStatus

from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from api.contract.limits import limit_named, take
from foundation.requests.addresses import address_of, network_of
from ratings.archiving import ArchivedError
from ratings.logs.connectors.connect import drop, is_secret_of
from ratings.logs.connectors.lines import Piece, receive_piece
from ratings.logs.connectors.messages import NoMessageError, receive_message
from ratings.models import ConnectorKind, ServerConnector

__all__ = ["HEADER", "connect"]

HEADER = "X-Evenmatch-Secret"
_MOST_BYTES = 4 << 20
_MOST_DIGITS = 15


@never_cache
@csrf_exempt  # a game server has no token of ours; it has its secret
@require_POST
def connect(request: HttpRequest, game: str, server: str, secret: str = "") -> HttpResponse:
    """Take what a server sends. Answers say little: whoever sends reads the status alone."""
    found = ServerConnector.objects.filter(server__game__slug=game, server__slug=server)
    connector = found.exclude(kind=ConnectorKind.SOURCE).first()
    if connector is None:
        raise Http404
    given = secret or request.headers.get(HEADER, "")
    if not is_secret_of(connector, given):
        return _refuse(request, connector, "secret")
    if connector.address and network_of(connector.address) != address_of(request):
        return _refuse(request, connector, "address")
    if (wait := _wait("server-write", f"connector:{connector.pk}")) is not None:
        return wait
    body = request.read(_MOST_BYTES + 1)
    if len(body) > _MOST_BYTES:
        return _say(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    try:
        if connector.kind == ConnectorKind.CS2:
            receive_piece(connector.pk, _piece(request, body))
        else:
            receive_message(connector.pk, body)
    except NoMessageError:
        return _say(HTTPStatus.BAD_REQUEST)
    except ArchivedError:
        return _say(HTTPStatus.GONE)
    except ServerConnector.DoesNotExist as error:
        raise Http404 from error
    except OperationalError:  # nothing was written: it is to be sent again
        return _say(HTTPStatus.SERVICE_UNAVAILABLE)
    return _say(HTTPStatus.OK)


def _refuse(request: HttpRequest, connector: ServerConnector, why: str) -> HttpResponse:
    """Count what came from somebody else, and only so often."""
    if (wait := _wait("anonymous", f"address:{address_of(request)}")) is not None:
        return wait
    drop(connector.pk, why)
    return _say(HTTPStatus.FORBIDDEN)


def _wait(limit: str, who: str) -> HttpResponse | None:
    """The answer to one request too many; None where there is room for it."""
    named = limit_named(limit)
    allowance = None if named is None else take(named, who)
    if allowance is None or allowance.allowed:
        return None
    answer = _say(HTTPStatus.TOO_MANY_REQUESTS)
    answer.headers["Retry-After"] = allowance.headers["Retry-After"]
    return answer


def _piece(request: HttpRequest, body: bytes) -> Piece:
    """A piece of a log, with what Counter-Strike 2 says of its place."""
    headers = request.headers
    token = headers.get("X-Server-Instance-Token", "")[:64]
    begin, end = (
        _number(headers.get(f"X-LogBytes-{which}Offset", "")) for which in ("Begin", "End")
    )
    return Piece(body, token, begin, end)


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS else None


def _say(status: HTTPStatus) -> HttpResponse:
    return HttpResponse(f"{status.phrase}\n", status=status, content_type="text/plain")
