"""Queues, made and changed."""

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.contract.column_fields import fields_of
from api.contract.fields import ObjectField, ShortNameField, with_fields
from api.contract.pages import link, page_by, page_shape
from api.serializers.admin import QueueSetupShape
from api.views.admin.base import ADMIN, NotedBody, ValueField
from api.views.admin.ladders import OfLadders
from api.views.games import OfGameBody
from matchmaking.models import Queue
from matchmaking.queues.add import COLUMNS, obtain_queue
from matchmaking.queues.rescale import misfits_of
from ratings.ladders.refusals import FixedError

__all__ = ["QueueView", "QueuesView"]

QueuesSetupShape = page_shape("QueuesSetupShape", QueueSetupShape)


@with_fields(fields_of(Queue, COLUMNS), before="settings")
class QueueBody(NotedBody):
    """What is chosen for a queue. What is left out stays, or suits the ladder."""

    ladder = ShortNameField(
        required=False, help_text="Short name of the ladder; needed for a queue that is not there."
    )
    settings = ObjectField(
        child=ObjectField(child=ValueField()),
        required=False,
        help_text="Parameters by section and name, as `{“region”: {“use”: “must”}}`; others stay.",
    )


class QueuesView(OfLadders):
    """The queues that the key may set up."""

    access = {"GET": ADMIN}
    query = {"GET": OfGameBody}

    @extend_schema(summary="Queues to set up", responses=QueuesSetupShape)
    def get(self, request: Request) -> Response:
        """Those of the key's games, oldest first, with their settings."""
        given = self.parameters
        queues = Queue.objects.select_related("ladder__game").filter(ladder__game__in=self.games)
        if "game" in given:
            queues = queues.filter(ladder__game__slug=given["game"])
        rows, after = page_by("pk", "q", queues, given)
        page = {"results": rows, "next": link(request, after)}
        return Response(self.shown(QueuesSetupShape, page, misfits=misfits_of(rows)))


class QueueView(OfLadders):
    """One of them."""

    access = {"GET": ADMIN, "PUT": ADMIN}
    problems = {"PUT": ("slug_taken", "cannot_change", "archived")}

    def place_of(self, name: str) -> tuple[str, ...]:
        known = name in QueueBody._declared_fields
        return (name,) if known else ("settings", *name.split("."))

    @extend_schema(summary="A queue to set up", responses=QueueSetupShape)
    def get(self, request: Request, slug: str) -> Response:
        """A queue, with its settings."""
        queues = Queue.objects.select_related("ladder__game").filter(ladder__in=self.ladders)
        return Response(self.shown(QueueSetupShape, get_object_or_404(queues, slug=slug)))

    @extend_schema(
        summary="Make or change a queue",
        request=QueueBody,
        responses={200: QueueSetupShape, 201: QueueSetupShape},
    )
    def put(self, request: Request, slug: str) -> Response:
        """Makes the queue if it is not there, with gaps that suit the ladder's scale and its teams, and else changes
        what is given: as often as you like. It stays with its ladder. Who waits is matched by what holds from now on.
        """
        given = self.body(QueueBody)
        note, asked = given.pop("note", ""), given.pop("ladder", None)
        queue = Queue.objects.select_related("ladder").filter(slug=slug).first()
        if queue is not None:
            ladder = self.ladders.filter(pk=queue.ladder_id).first()
            self.check_slug(ladder is None)
        elif asked is None:
            raise self.refusal(("ladder",), _("Name the ladder: there is no such queue yet."))
        else:
            ladder = self.ladders.filter(slug=asked).first()
        if ladder is None:
            words = _("There is no such ladder, or the key is not for its game.")
            raise self.refusal(("ladder",), words)
        if asked not in (None, ladder.slug):
            raise FixedError("ladder", given=asked, present=ladder.slug)
        settings = given.pop("settings", {})
        with self.acting():
            queue, is_new = obtain_queue(
                ladder, slug, columns=given, settings=settings, actor=None, note=note
            )
        return Response(self.shown(QueueSetupShape, queue), status=201 if is_new else 200)
