"""What a player wants of the site: suggestions, and a random group."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.acting_player import WHO_PROBLEMS
from api.auth.stream_rights import MAY_ACT
from api.contract.fields import ShortNameField, TruthField
from api.contract.problems import ProblemError
from api.serializers.people.groups import RandomGroupShape, SuggestionsShape
from api.views.base import ApiView
from api.views.bodies import PlayerBody, WhoseBody
from api.views.people.others import whose
from foundation.postgresql.transactions import from_one_snapshot
from groups import draw, suggest
from groups.rules import rules_of
from matchmaking.models import Queue
from ratings.models import Player

__all__ = ["RandomGroupView", "SuggestionsView"]


class SuggestionsBody(PlayerBody):
    """Whether suggestions are wanted."""

    wanted = TruthField(required=False)


class RandomGroupBody(PlayerBody):
    """With whom."""

    queue = ShortNameField(
        required=False, help_text="Short name of the queue that the others should want; else any."
    )
    language = serializers.RegexField(
        "^[a-z]{2,3}(-[a-z]{2,4})?$",
        required=False,
        error_messages={
            "invalid": gettext_lazy("Must be a language in small letters, such as de or pt-br.")
        },
        help_text="The language that the others should want, such as `de`; else any.",
    )


class SuggestionsView(ApiView):
    """Friends and groups that are suggested."""

    access = {"GET": MAY_ACT, "PATCH": MAY_ACT}
    query = {"GET": WhoseBody}
    problems = {"GET": WHO_PROBLEMS, "PATCH": WHO_PROBLEMS}
    tag = "Groups"

    @extend_schema(summary="Suggested friends and groups", responses=SuggestionsShape)
    @from_one_snapshot
    def get(self, request: Request) -> Response:
        """From the player's own last 200 matches and its own feedback alone; nothing to whoever does not want it."""
        return self._shown(whose(self.caller, self.parameters))

    @extend_schema(
        summary="Choose whether to get suggestions",
        request=SuggestionsBody,
        responses=SuggestionsShape,
    )
    def patch(self, request: Request) -> Response:
        """Wants suggestions, or no longer."""
        given = self.body(SuggestionsBody)
        player = whose(self.caller, given)
        if "wanted" in given:
            suggest.choose(player=player, wanted=given["wanted"])
        return self._shown(player)

    def _shown(self, player: Player) -> Response:
        found = suggest.suggestions_for(player)
        given = {
            "wanted": suggest.wants(player.pk),
            "players": found.players,
            "groups": found.groups,
        }
        return Response(self.shown(SuggestionsShape, given))


class RandomGroupView(ApiView):
    """The wish for a random group."""

    access = {"GET": MAY_ACT, "POST": MAY_ACT, "DELETE": MAY_ACT}
    query = {"GET": WhoseBody, "DELETE": WhoseBody}
    problems = {
        "GET": WHO_PROBLEMS,
        "POST": (*WHO_PROBLEMS, "archived", "random_groups_off", "unknown_queue"),
        "DELETE": WHO_PROBLEMS,
    }
    tag = "Groups"

    @extend_schema(summary="The wish for a random group", responses=RandomGroupShape)
    @from_one_snapshot
    def get(self, request: Request) -> Response:
        """Whether the player is in the next draw, and when that is."""
        return self._shown(whose(self.caller, self.parameters))

    @extend_schema(
        summary="Want a random group", request=RandomGroupBody, responses=RandomGroupShape
    )
    def post(self, request: Request) -> Response:
        """Puts the player into the next draw; again: with another wish. A draw tells it what came of it by a notice."""
        given = self.body(RandomGroupBody)
        player = whose(self.caller, given)
        queue = None
        if "queue" in given:
            queues = Queue.objects.in_use().filter(ladder__game=player.game_id)
            queue = queues.filter(slug=given["queue"]).first()
            if queue is None:
                words = _("The game has no queue “%(slug)s”.") % {"slug": given["queue"]}
                raise ProblemError("unknown_queue", words)
        draw.want(player=player, queue=queue, language=given.get("language", ""))
        return self._shown(player)

    @extend_schema(summary="Want no random group any more", responses={204: None})
    def delete(self, request: Request) -> Response:
        """Takes the player out of the next draw."""
        draw.stop_wanting(player=whose(self.caller, self.parameters))
        return Response(status=204)

    def _shown(self, player: Player) -> Response:
        wish, rules = draw.wish_of(player.pk), rules_of(player.game_id)
        given = {
            "wanted": wish is not None,
            "wish": wish,
            "offered": rules.draws,
            "size": rules.draw_size,
            "days": rules.draw_days,
            "draws_at": draw.next_draw(rules),
        }
        return Response(self.shown(RandomGroupShape, given))
