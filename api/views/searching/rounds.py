"""When to play, and rounds at set times."""

from zoneinfo import ZoneInfo

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.access import PUBLIC
from api.auth.acting_player import WHO_PROBLEMS, player_for
from api.auth.stream_rights import MAY_ACT, MAY_LOOK
from api.contract.bodies import Body
from api.contract.fields import IdField, ZoneField
from api.contract.shapes import Shape
from api.serializers.searching.rounds import (
    EntryShape,
    HoursShape,
    RoundShape,
    hours_answer,
    round_answer,
)
from api.views.base import ApiView
from api.views.bodies import PlayerBody
from foundation.postgresql.transactions import from_one_snapshot
from matchmaking.models import Queue, Round
from matchmaking.pool.best_hour import best_hours
from matchmaking.pool.near import searching_now
from matchmaking.rounds.join import is_there, join_round, leave_round
from matchmaking.rounds.to_come import coming_rounds

__all__ = ["HoursView", "RoundJoinView", "RoundLeaveView", "RoundsView"]

_TAG = "Queues and tickets"


class ZoneBody(Body):
    """By whose clocks."""

    zone = ZoneField(
        required=False, help_text="Name of a time zone: `Europe/Berlin`. Default: UTC."
    )


class RoundsOfBody(Body):
    """Of whom a server asks."""

    player = IdField(required=False, help_text="For servers: about whom, by the id in the game.")


class RoundsShape(Shape):
    """The rounds of a queue that are to come."""

    results = RoundShape(many=True)


class LeftShape(Shape):
    """A round that was left."""

    round = serializers.IntegerField(help_text="Id of the round.")
    left = serializers.BooleanField(help_text="False: the player had not joined it.")


class HoursView(ApiView):
    """When to play in a queue."""

    access = {"GET": PUBLIC}
    query = {"GET": ZoneBody}
    problems = {"GET": ("archived",)}
    tag = _TAG

    @extend_schema(summary="When to play", responses=HoursShape)
    @from_one_snapshot
    def get(self, request: Request, slug: str) -> Response:
        """Who searches now, and at which half hour of the week one finds a match soonest, from the waits of the last
        four weeks. Null where too little is known.
        """
        queue = _queue(slug)
        zone = ZoneInfo(self.parameters["zone"])
        player = self.caller.player
        searching = searching_now(queue, player.pk if player else None)
        best = best_hours(queue.pk, zone, self.now)
        return Response(self.shown(HoursShape, hours_answer(zone.key, searching, best)))


class RoundsView(ApiView):
    """Rounds of a queue."""

    access = {"GET": PUBLIC}
    query = {"GET": RoundsOfBody}
    problems = {"GET": (*WHO_PROBLEMS, "archived", "authentication_required", "missing_scope")}
    tag = _TAG

    @extend_schema(summary="Rounds of a queue", responses=RoundsShape)
    @from_one_snapshot
    def get(self, request: Request, slug: str) -> Response:
        """Those of the coming week, the next first; with a token, or of the `player` that a server names, whether that
        one has joined and counts as there.
        """
        queue, player = _queue(slug), self.caller.player
        if (named := self.parameters.get("player")) is not None:
            MAY_LOOK.check(self.caller)
            player = player_for(self.caller, named)
        rounds = coming_rounds(queue.pk, player.pk if player else None, self.now)
        results = [round_answer(one, slug, is_asked_by_player=player is not None) for one in rounds]
        return Response(self.shown(RoundsShape, {"results": results}))


class RoundJoinView(ApiView):
    """Joining a round."""

    access = {"POST": MAY_ACT}
    problems = {
        "POST": (
            *WHO_PROBLEMS,
            "round_over",
            "archived",
            "queue_closed",
            "wrong_game",
            "suspended",
            "cooling_off",
        )
    }
    tag = _TAG

    @extend_schema(summary="Join a round", request=PlayerBody, responses=EntryShape)
    def post(self, request: Request, round_id: int) -> Response:
        """Joins a round beforehand. Again within 15 minutes before it begins: the player is there, and begins to search
        with all others who are. Whoever plays or searches at that moment is passed over.
        """
        given = self.body(PlayerBody)
        player = player_for(self.caller, given.get("player"))
        found = _round(round_id, player.game_id)
        entry = join_round(round_id=found.pk, player=player)
        answer = {
            "round": found.pk,
            "player": player.pk,
            "starts_at": found.starts_at,
            "is_there": is_there(entry, found.starts_at),
        }
        return Response(self.shown(EntryShape, answer))


class RoundLeaveView(ApiView):
    """Leaving a round."""

    access = {"POST": MAY_ACT}
    problems = {"POST": (*WHO_PROBLEMS, "round_over")}
    tag = _TAG

    @extend_schema(summary="Leave a round", request=PlayerBody, responses=LeftShape)
    def post(self, request: Request, round_id: int) -> Response:
        """Leaves a round that has not begun. The same again changes nothing."""
        given = self.body(PlayerBody)
        player = player_for(self.caller, given.get("player"))
        found = _round(round_id, player.game_id)
        left = leave_round(round_id=found.pk, player=player)
        return Response(self.shown(LeftShape, {"round": found.pk, "left": left}))


def _queue(slug: str) -> Queue:
    queues = Queue.objects.in_use().select_related("ladder__game")
    return get_object_or_404(queues, slug=slug)


def _round(round_id: int, game_id: int) -> Round:
    found = Round.objects.filter(pk=round_id, queue__ladder__game=game_id).first()
    if found is None:
        raise Http404
    return found
