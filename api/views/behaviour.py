"""Behaviour in matches, and what it says of ratings: to be read, and never part of one."""

from typing import Any

from django.http import Http404
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.access import needs
from api.auth.acting_player import match_for, participants_by_name
from api.auth.people import game_served
from api.auth.scopes import Scope
from api.contract.bodies import Body
from api.contract.fields import ListOfField, NumberField, ObjectField
from api.contract.player_stats_fields import ByPlayerField
from api.contract.shapes import Shape
from api.views.base import ApiView
from api.views.games import public_ladder
from api.views.players import find_player
from foundation.postgresql.transactions import from_one_snapshot
from ratings.behaviour.estimate import Estimate, estimate, estimates_of
from ratings.behaviour.give import FURTHEST, check_features, give_behaviour
from ratings.models import LONGEST_FEATURE, MOST_FEATURES, Match
from ratings.systems.behaviour import KINDS, WINDOWS

__all__ = ["BehaviourView", "LadderEstimateView", "PlayerEstimatesView"]


@extend_schema_field(
    {
        "type": "object",
        "additionalProperties": {"type": "number", "minimum": -FURTHEST, "maximum": FURTHEST},
        "propertyNames": {"maxLength": LONGEST_FEATURE},
        "minProperties": 1,
        "maxProperties": MOST_FEATURES,
    }
)
class FeaturesField(ObjectField):
    """Numbers by the names of features."""

    child = NumberField(min_value=-FURTHEST, max_value=FURTHEST)
    default_error_messages = {"number": _("Must name 1 to {most} features.")}

    def to_internal_value(self, data: Any) -> Any:
        """Refuse too many before each is looked at."""
        if isinstance(data, dict) and not 1 <= len(data) <= MOST_FEATURES:
            self.fail("number", most=MOST_FEATURES)
        return super().to_internal_value(data)


class BehaviourOfField(ByPlayerField):
    """Features of single players."""

    child = FeaturesField()


class BehaviourBody(Body):
    """What players did in a match."""

    players = BehaviourOfField(
        help_text="Numbers by names of features that the game has declared, by the players' ids in the game."
    )


class GivenShape(Shape):
    """What is kept now."""

    match = serializers.IntegerField()
    players = serializers.IntegerField(help_text="Of how many players something was given.")


class BehaviourView(ApiView):
    """What players did in a match."""

    access = {"PUT": needs(Scope.MATCHES_WRITE, Scope.RESULTS_WRITE)}
    problems = {"PUT": ("archived", "unknown_feature", "unknown_player", "not_in_match")}
    tag = "Behaviour"

    @extend_schema(
        summary="Tell what players did in a match", request=BehaviourBody, responses=GivenShape
    )
    def put(self, request: Request, match_id: int) -> Response:
        """During a match or after it, as often as you like: what was told of a player before is replaced, others keep
        theirs. No rating comes of it.
        """
        told = self.body(BehaviourBody)["players"]
        game = game_served(self.caller)
        match = Match.objects.get(pk=match_for(self.caller, match_id))
        check_features(game.pk, told)
        players = participants_by_name(self.caller, match_id, list(told))
        give_behaviour(match, {players[name]: features for name, features in told.items()})
        given = {"match": match_id, "players": len(told)}
        return Response(self.shown(GivenShape, given))


class BehaviourEstimateShape(Shape):
    """A rating foreseen from behaviour, and how far such estimates are off."""

    ladder = serializers.SlugField(source="ladder.slug")
    rating = serializers.FloatField(help_text="In the unit of the ladder's ratings.")
    error = serializers.FloatField(
        help_text="Root of the mean squared error, found on players whom the model had not seen."
    )
    error_of_start = serializers.FloatField(
        help_text="The same of always the start value: what an estimate is better than.",
    )
    error_of_mean = serializers.FloatField(help_text="The same of always the mean rating.")
    matches = serializers.ChoiceField(
        choices=WINDOWS, help_text="On how many of the last matches it rests."
    )
    model = serializers.ChoiceField(choices=[*KINDS], source="model.chosen")
    features = serializers.ListField(
        child=serializers.CharField(), source="model.features", help_text="What the model looks at."
    )
    players = serializers.IntegerField(
        source="model.players", help_text="From how many established players it was learned."
    )
    learned_at = serializers.DateTimeField(source="model.made_at")


class BehaviourEstimatesShape(Shape):
    """One of each ladder for which there is one."""

    results = BehaviourEstimateShape(many=True)


class PlayerEstimatesView(ApiView):
    """What a player's behaviour says of its ratings."""

    access = {"GET": needs(Scope.READ)}
    problems = {"GET": ("archived", "player_merged")}
    tag = "Behaviour"

    @extend_schema(summary="First estimates of a player", responses=BehaviourEstimatesShape)
    @from_one_snapshot
    def get(self, request: Request, player_id: int) -> Response:
        """For the player itself and the servers of its game, before it has an established rating, or for the
        difficulty of opponents that the game plays. Empty where no behaviour of the player is told, or no model of a
        ranked ladder is sure to beat a guess.
        """
        player = find_player(player_id, request)
        is_own = self.caller.player is not None and self.caller.player.pk == player.pk
        if not is_own and not self.caller.serves(player.game_id):
            raise Http404
        return Response(self.shown(BehaviourEstimatesShape, {"results": estimates_of(player)}))


class RowsBody(Body):
    """What somebody did, match by match."""

    matches = ListOfField(
        child=FeaturesField(),
        min_length=1,
        max_length=max(WINDOWS),
        help_text="Features of the last matches, the oldest first; also of matches that this site knows nothing of.",
    )


class EstimatedShape(Shape):
    """What was found."""

    estimate = BehaviourEstimateShape(
        allow_null=True, help_text="null: no model of the ladder is sure to beat a guess."
    )


class LadderEstimateView(ApiView):
    """An estimate of behaviour that is given here."""

    access = {"POST": needs(Scope.READ)}
    problems = {"POST": ("archived", "unknown_feature", "missing_scope")}
    tag = "Behaviour"

    @extend_schema(
        summary="Estimate a rating from behaviour", request=RowsBody, responses=EstimatedShape
    )
    def post(self, request: Request, slug: str) -> Response:
        """For servers of the game: of whoever it may be, such as somebody in a tutorial, or against opponents that the
        game plays. Nothing is kept.
        """
        rows = self.body(RowsBody)["matches"]
        game = game_served(self.caller)
        ladder = public_ladder(slug)
        if ladder.game_id != game.pk:
            raise Http404
        check_features(game.pk, {str(index): row for index, row in enumerate(rows)})
        found: Estimate | None = estimate(ladder, rows)
        return Response(self.shown(EstimatedShape, {"estimate": found}))
