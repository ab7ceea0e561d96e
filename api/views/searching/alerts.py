"""Alerts: being told that somebody searches in a queue."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.acting_player import WHO_PROBLEMS, player_for
from api.auth.stream_rights import MAY_ACT
from api.contract.bodies import WordField
from api.contract.fields import WholeField, ZoneField
from api.contract.problems import ProblemError
from api.serializers.searching.alerts import NEARNESS, AlertShape, AlertsShape
from api.views.base import ApiView
from api.views.bodies import PlayerBody, WhoseBody
from foundation.postgresql.transactions import from_one_snapshot
from matchmaking.alerts.wish import MOST_HOURS, end_of_night, switch_off, switch_on, wishes_of
from matchmaking.models import Queue

__all__ = ["AlertView", "AlertsView"]

_TAG = "Notifications"


class AlertBody(PlayerBody):
    """How near, and until when."""

    near = WordField(
        choices=NEARNESS,
        help_text="How near the strength of whoever searches is to be. On ladders that hide ratings: `anybody` alone.",
    )
    until = WordField(
        choices=["tonight", "hours", "always"],
        help_text="`tonight`: until 4:00 by the clocks of `zone`; `hours`: for so many; `always`: until it is switched "
        "off.",
    )
    hours = WholeField(
        required=False, min_value=1, max_value=MOST_HOURS, help_text="With `until: hours`."
    )
    zone = ZoneField(required=False, help_text="With `until: tonight`. Default: UTC.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Hours belong to `hours` alone."""
        if (attrs["until"] == "hours") != ("hours" in attrs):
            words = _("Give `hours` with `until: hours`, and only there.")
            raise serializers.ValidationError({"hours": words}, code="with_until")
        return attrs


class AlertsView(ApiView):
    """A player's alerts."""

    access = {"GET": MAY_ACT}
    query = {"GET": WhoseBody}
    problems = {"GET": WHO_PROBLEMS}
    tag = _TAG

    @extend_schema(summary="Alerts that are on", responses=AlertsShape)
    @from_one_snapshot
    def get(self, request: Request) -> Response:
        """One for each queue in which the player is told of searches."""
        player = player_for(self.caller, self.parameters.get("player"))
        return Response(self.shown(AlertsShape, {"results": wishes_of(player.pk, self.now)}))


class AlertView(ApiView):
    """Alerts of one queue."""

    access = {"PUT": MAY_ACT, "DELETE": MAY_ACT}
    query = {"DELETE": WhoseBody}
    problems = {
        "PUT": (
            *WHO_PROBLEMS,
            "archived",
            "unknown_queue",
            "wrong_game",
            "no_alerts",
            "nearness_hidden",
        ),
        "DELETE": WHO_PROBLEMS,
    }
    tag = _TAG

    @extend_schema(summary="Switch alerts on", request=AlertBody, responses=AlertShape)
    def put(self, request: Request, slug: str) -> Response:
        """Tells the player when somebody searches in the queue and finds nobody for a moment: by the ways chosen for
        the group `alerts`, never in quiet hours, and at most once in a time that the operator sets. Nobody is told who
        searches. The same again changes how near, and until when.
        """
        given = self.body(AlertBody)
        player = player_for(self.caller, given.get("player"))
        if not Queue.objects.filter(slug=slug).exists():
            words = _("There is no queue “%(slug)s”.") % {"slug": slug}
            raise ProblemError("unknown_queue", words)
        queue = get_object_or_404(Queue.objects.in_use().select_related("ladder__game"), slug=slug)
        wish = switch_on(
            player=player, queue=queue, near=given["near"], until=_ends_at(given, self.now)
        )
        return Response(self.shown(AlertShape, wish))

    @extend_schema(summary="Switch alerts off", responses={204: None})
    def delete(self, request: Request, slug: str) -> Response:
        """Tells the player of searches in the queue no more."""
        player = player_for(self.caller, self.parameters.get("player"))
        queue = get_object_or_404(Queue.objects.in_use(), slug=slug)
        if not switch_off(player_id=player.pk, queue_id=queue.pk):
            raise Http404
        return Response(status=204)


def _ends_at(given: dict[str, Any], now: datetime) -> datetime | None:
    if given["until"] == "always":
        return None
    if given["until"] == "hours":
        return now + timedelta(hours=given["hours"])
    return end_of_night(ZoneInfo(given["zone"]), now)
