"""Events that came while a program was away."""

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.access import needs
from api.auth.scopes import PLAYER_SCOPES, SERVER_SCOPES
from api.auth.stream_rights import topics_of
from api.contract.bodies import Body
from api.contract.pages import MOST
from api.contract.problems import ProblemError
from api.serializers.events import EventsShape
from api.views.base import ApiView
from events.live import GoneError, Offset, head, read
from events.live.messages import OFFSET
from foundation.postgresql.transactions import from_one_snapshot

__all__ = ["EventsView"]


@extend_schema_field({"type": "string", "pattern": f"^{OFFSET}$"})
class OffsetField(serializers.CharField):
    """An offset among the events that are kept."""

    default_error_messages = {
        "invalid": gettext_lazy("This is no such cursor. Use the one from “after” or “cursor”."),
    }

    def to_internal_value(self, data: str) -> Offset:  # type: ignore[override]
        """Read it."""
        try:
            return Offset.read(data)
        except ValueError:
            self.fail("invalid")


class EventsBody(Body):
    """From where on, and how many."""

    after = OffsetField(
        required=False,
        help_text="`after` of the answer before, or the last `id` of a stream. Without it: from now on.",
    )
    limit = serializers.IntegerField(
        default=MOST, min_value=1, max_value=MOST, help_text="Events in an answer."
    )


class EventsView(ApiView):
    """What has happened."""

    access = {"GET": needs(*PLAYER_SCOPES, *SERVER_SCOPES)}
    query = {"GET": EventsBody}
    problems = {"GET": ("events_gone",)}
    tag = "Queues and tickets"

    @extend_schema(summary="Events since", responses=EventsShape)
    @from_one_snapshot
    def get(self, request: Request) -> Response:
        """What `GET /stream` has told the caller since `after`, in order and complete: none is passed over, also
        those of transactions that ended late. Without `after` there are none, and the answer says where to begin:
        take that, read what there is, then ask for what has come after it. `is_more`: ask again at once.
        """
        given = self.parameters
        if "after" not in given:
            now = {"results": [], "after": str(head()), "is_more": False}
            return Response(self.shown(EventsShape, now))
        topics = set(topics_of(self.caller))
        try:
            kept = read(given["after"], topics, given["limit"])
        except GoneError:
            words = _(
                "Some of what came after this cursor is gone. Go on from “after”, and ask anew for everything."
            )
            raise ProblemError(
                "events_gone", words, after=str(head()), kept_days=settings.KEEP_EVENTS
            ) from None
        results = [
            {
                "cursor": str(message.offset),
                "at": at,
                "kind": message.kind,
                "topics": sorted(topics & set(message.topics)),  # of the others nothing is said
                "ids": message.ids,
                "players": list(message.players),
            }
            for at, message in kept.messages
        ]
        events = {"results": results, "after": str(kept.offset), "is_more": kept.is_more}
        return Response(self.shown(EventsShape, events))
