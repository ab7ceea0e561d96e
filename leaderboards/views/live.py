"""Streams of server-sent events: what a visitor may listen to is looked up once, then the database is let go."""

from http import HTTPStatus

from django.db import connection
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from events.live import StreamLimitError, TooManyStreamsError, stream
from leaderboards.views.stream_rights import reader_of
from leaderboards.visibility import public_ladders
from ratings.models import Player

__all__ = ["live"]

MOST_TOPICS = 20
RETRY_AFTER = 30  # seconds; pages poll meanwhile


@never_cache
@require_GET
def live(request: HttpRequest) -> HttpResponseBase:
    """Stream what happens in the topics of the address: /live/?topic=site&topic=ladder:3&topic=player.

    `player` stands for all players of the signed-in visitor. 403 when one of the topics is not for the visitor.
    """
    asked = set(request.GET.getlist("topic")[: MOST_TOPICS + 1])
    if not 0 < len(asked) <= MOST_TOPICS:
        return _refuse(f"Give between 1 and {MOST_TOPICS} topics.")
    own: set[str] = set()
    if any(topic.startswith("player") for topic in asked):
        if not request.user.is_authenticated:
            return _refuse("Sign in to listen to your own players.")
        players = Player.objects.filter(user=request.user).values_list("pk", flat=True)
        own = {f"player:{pk}" for pk in players}
    # ids behind "ladder:", as far as they are numbers that a row could have
    numbers = (topic.partition(":")[2] for topic in asked if topic.startswith("ladder:"))
    ids = {int(one) for one in numbers if one.isascii() and one.isdigit() and len(one) < 19}
    ladders: set[str] = set()
    if ids:
        public = public_ladders().filter(pk__in=ids).values_list("pk", flat=True)
        ladders = {f"ladder:{pk}" for pk in public}
    topics = asked - {"player"}
    if refused := sorted(topics - {"site"} - ladders - own):
        return _refuse(f"Not for you: {', '.join(refused)}")
    if "player" in asked:
        topics |= own
    reader = reader_of(request)
    if not connection.in_atomic_block:
        connection.close()  # a stream lasts for minutes and reads nothing
    try:
        events = stream(topics, reader)
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


def _refuse(reason: str) -> HttpResponse:
    return HttpResponse(f"{reason}\n", content_type="text/plain", status=HTTPStatus.FORBIDDEN)
