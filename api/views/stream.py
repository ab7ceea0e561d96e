"""Streams of server-sent events: who may listen is looked up once, then the database is let go."""

from itertools import groupby
from textwrap import fill

from django.db import connection
from django.http import HttpResponseBase, StreamingHttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.request import Request

from api.auth.access import needs
from api.auth.scopes import PLAYER_SCOPES, SERVER_SCOPES
from api.auth.stream_rights import reader_of, topics_of
from api.contract.problems import ProblemError
from api.serializers.words import EVENT_IDS
from api.views.base import ApiView
from events.kinds import Kind
from events.live import Offset, StreamLimitError, TooManyStreamsError, numbered_stream
from foundation.requests.addresses import address_of

__all__ = ["StreamView"]

_LATER = {"Retry-After": "30"}
_FAMILIES = groupby((kind for kind in Kind if kind.topics), lambda kind: kind.partition(".")[0])
# `ticket.waiting`, `.cancelled`, `.expired`; `offer.made`, …
_KINDS = "; ".join(
    ", ".join(f"`{kind}`" for kind in kinds).replace(f", `{family}.", ", `.")
    for family, kinds in _FAMILIES
)
_IDS = ", ".join(f"`{name}`" for name in EVENT_IDS)


class StreamView(ApiView):
    """What happens, as it happens."""

    access = {"GET": needs(*PLAYER_SCOPES, *SERVER_SCOPES)}
    problems = {"GET": ("too_many_streams", "stream_limit")}
    tag = "Queues and tickets"
    produces = ("text/event-stream",)

    @extend_schema(
        summary="Listen",
        parameters=[
            OpenApiParameter(
                "Last-Event-ID",
                {"type": "string"},
                "header",
                description="The last `id` of the stream before: what has happened since comes first.",
            )
        ],
        responses={
            (200, "text/event-stream"): OpenApiResponse(OpenApiTypes.STR, "Server-sent events.")
        },
    )
    def get(self, request: Request) -> HttpResponseBase:
        topics = topics_of(self.caller)
        reader = reader_of(self.caller, address_of(request), self.now)
        try:
            offset = Offset.read(request.headers.get("Last-Event-ID", ""))
        except ValueError:
            offset = None  # then the caller looks anew
        try:
            events = numbered_stream(topics, reader, offset)
        except StreamLimitError:
            words = _("Too many streams are open from your address, or with your key or player.")
            raise ProblemError("stream_limit", words, headers=_LATER) from None
        except TooManyStreamsError:
            words = _("Too many streams are open here. Poll, and try again later.")
            raise ProblemError("too_many_streams", words, headers=_LATER) from None
        if not connection.in_atomic_block:
            connection.close()  # a stream lasts for minutes and reads nothing more
        headers = {"X-Accel-Buffering": "no"}  # nginx passes each event on at once
        return StreamingHttpResponse(events, content_type="text/event-stream", headers=headers)

    # The description of the endpoint, with every kind of the catalogue.
    get.__doc__ = fill(
        "Server-sent events: of the token's player, or of all searches and ladders of the server's game. They carry "
        f"kinds and ids; ask for what they name. Kinds: {_KINDS}. `ids` ({_IDS}) is empty "
        "where one message tells of several. After an event `resync` some may have been "
        "missed. Up to the `id` of a `tick` nothing is missing: send it as `Last-Event-ID` to go on there. After "
        "`ended` the key or token is good no more.",
        width=110,
        break_on_hyphens=False,
    )
