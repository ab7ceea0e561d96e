"""Queues."""

from collections.abc import Sequence

from django.db.models import Count, QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.access import PUBLIC
from api.contract.pages import page_by, page_shape
from api.contract.shapes import Answer
from api.serializers.searching.queues import QueueShape, queue_answer
from api.views.base import ApiView
from api.views.games import OfGameBody, of_game
from foundation.postgresql.transactions import from_one_snapshot
from matchmaking.models import Queue, TicketMember
from matchmaking.queues.wait_estimates import estimates

__all__ = ["QueueView", "QueuesView"]

QueuesShape = page_shape("QueuesShape", QueueShape)


class QueuesView(ApiView):
    """All queues."""

    access = {"GET": PUBLIC}
    query = {"GET": OfGameBody}
    tag = "Queues and tickets"

    @extend_schema(summary="Queues", responses=QueuesShape)
    @from_one_snapshot
    def get(self, request: Request) -> Response:
        """Where players can wait for a match, oldest first; of ladders in normal mode too."""
        given = self.parameters
        queues = of_game(_queues(), given, by="ladder__game")
        rows, after = page_by("pk", "q", queues, given)
        return self.page(QueuesShape, _shown_queues(rows), after)


class QueueView(ApiView):
    """One queue."""

    access = {"GET": PUBLIC}
    problems = {"GET": ("archived",)}
    tag = "Queues and tickets"

    @extend_schema(summary="A queue", responses=QueueShape)
    @from_one_snapshot
    def get(self, request: Request, slug: str) -> Response:
        """How many wait, and how long a search takes."""
        queue = get_object_or_404(_queues(), slug=slug)
        return Response(self.shown(QueueShape, _shown_queues([queue])[0]))


def _queues() -> QuerySet[Queue]:
    return Queue.objects.in_use().select_related("ladder__game")


def _shown_queues(queues: Sequence[Queue]) -> list[Answer]:
    ids = [queue.pk for queue in queues]
    live = TicketMember.objects.filter(live=True, ticket__queue__in=ids)
    # Players who search now, by queue; those with nobody are left out. One query, of live searches only.
    waiting = dict(live.order_by().values_list("ticket__queue").annotate(Count("pk")))
    known = estimates(ids)
    return [queue_answer(queue, waiting.get(queue.pk, 0), known[queue.pk]) for queue in queues]
