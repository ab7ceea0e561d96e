"""Streams of server-sent events: what a visitor may listen to is looked up once, then the database is let go."""

from http import HTTPStatus

from django.db import connection
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from events.live import StreamLimitError, TooManyStreamsError, stream
from leaderboards.views.stream_rights import guest_of
from leaderboards.visibility import public_ladders
from ratings.models import Player

__all__ = ["live"]

MOST_TOPICS = 20
RETRY_AFTER = 30  # seconds; pages poll meanwhile


class NotForYouError(Exception):
    """A topic that this visitor may not listen to, or that is none."""


@never_cache
@require_GET
def live(request: HttpRequest) -> HttpResponseBase:
    """Stream what happens in the topics of the address: /live/?topic=site&topic=ladder:3&topic=player.

    `player` stands for all players of the signed-in visitor. 403 when one of the topics is not for the visitor.
    """
    try:
        topics = _allowed(request)
    except NotForYouError as error:
        return HttpResponse(f"{error}\n", content_type="text/plain", status=HTTPStatus.FORBIDDEN)
    guest = guest_of(request)
    if not connection.in_atomic_block:
        connection.close()  # a stream lasts for minutes and reads nothing
    try:
        events = stream(topics, guest)
    except StreamLimitError:
        headers = {"Retry-After": str(RETRY_AFTER)}
        words = "Too many streams are open from your address, or by you.\n"
        return HttpResponse(
            words, status=HTTPStatus.TOO_MANY_REQUESTS, headers=headers, content_type="text/plain"
        )
    except TooManyStreamsError:
        headers = {"Retry-After": str(RETRY_AFTER)}
        return HttpResponse(status=HTTPStatus.SERVICE_UNAVAILABLE, headers=headers)
    headers = {"X-Accel-Buffering": "no"}  # nginx passes each event on at once
    return StreamingHttpResponse(events, content_type="text/event-stream", headers=headers)


def _allowed(request: HttpRequest) -> set[str]:
    """The topics asked for; NotForYouError unless all are the visitor's to hear."""
    asked = set(request.GET.getlist("topic")[: MOST_TOPICS + 1])
    if not 0 < len(asked) <= MOST_TOPICS:
        raise NotForYouError(f"Give between 1 and {MOST_TOPICS} topics.")
    own = _players(request, asked)
    named = asked - {"player"}
    if refused := sorted(named - {"site"} - _ladders(asked) - own):
        raise NotForYouError(f"Not for you: {', '.join(refused)}")
    return named | own if "player" in asked else named


def _ladders(asked: set[str]) -> set[str]:
    ids = _ids(asked, "ladder")
    found = public_ladders().filter(pk__in=ids).values_list("pk", flat=True) if ids else ()
    return {f"ladder:{pk}" for pk in found}


def _players(request: HttpRequest, asked: set[str]) -> set[str]:
    """All players of the visitor, when any are asked for."""
    if not any(topic.startswith("player") for topic in asked):
        return set()
    if not request.user.is_authenticated:
        raise NotForYouError("Sign in to listen to your own players.")
    own = Player.objects.filter(user=request.user).values_list("pk", flat=True)
    return {f"player:{pk}" for pk in own}


def _ids(asked: set[str], kind: str) -> set[int]:
    """The ids behind `kind:`, as far as they are numbers a row could have."""
    after = (topic.partition(":")[2] for topic in asked if topic.startswith(f"{kind}:"))
    return {int(text) for text in after if text.isascii() and text.isdigit() and len(text) < 19}
