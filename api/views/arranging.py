"""Matches that the game arranges itself, without a queue."""

from collections import Counter

from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import needs
from api.bodies import Body
from api.fields import ListOfField, ShortNameField, TextField, TruthField
from api.people import LONGEST_ID, game_served, players_of
from api.problems import ProblemError
from api.scopes import Scope
from api.shapes.states import MatchStateShape, state_of
from api.views.base import ApiView
from api.views.playing import NEUTRAL
from ratings.models import Game, Ladder
from ratings.starting import start_match

__all__ = ["MatchesView", "ladder_of"]

_TEAM = ListOfField(child=TextField(), min_length=1, max_length=100)


class ArrangeBody(Body):
    """Who meets whom."""

    ladder = ShortNameField(help_text="Short name of the ladder.")
    teams = ListOfField(
        child=_TEAM,
        min_length=2,
        max_length=100,
        help_text="The players' ids in the game, by team.",
    )
    external_id = TextField(
        required=False,
        allow_blank=True,
        help_text="How the game names the match; else it is given one.",
    )
    map = TextField(
        required=False, allow_blank=True, help_text="Where it is played; left out: not known."
    )
    neutral = TruthField(default=False, help_text=NEUTRAL)


class MatchesView(ApiView):
    """Arranging matches."""

    has_address = True
    access = {"POST": needs(Scope.MATCHES_WRITE)}
    problems = {
        "POST": (
            "unknown_ladder",
            "unknown_player",
            "wrong_players",
            "already_playing",
            "match_exists",
        )
    }
    tag = "Matches"

    @extend_schema(summary="Arrange a match", request=ArrangeBody, responses={201: MatchStateShape})
    def post(self, request: Request) -> Response:
        """Begins a match that the game arranged itself, now. Its players are in a match until it is reported, or its
        result is given.
        """
        given = self.body(ArrangeBody)
        game = game_served(self.caller)
        match = start_match(
            ladder=ladder_of(game, given["ladder"]),
            teams=_line_up(game, given["teams"]),
            external_id=given.get("external_id", ""),
            map_name=given.get("map", ""),
            neutral=given["neutral"],
        )
        response = Response(state_of(match), status=201)
        response["Location"] = reverse("api:match", args=[match.pk])
        return response


def ladder_of(game: Game, slug: str) -> Ladder:
    """A ladder of the game; refuses with `unknown_ladder`."""
    ladder = Ladder.objects.filter(game=game, slug=slug).first()
    if ladder is None:
        words = _("This game has no ladder “%(ladder)s”.") % {"ladder": slug}
        raise ProblemError("unknown_ladder", words)
    return ladder


def _line_up(game: Game, teams: list[list[str]]) -> list[list[int]]:
    named = [player for team in teams for player in team]
    for name, times in Counter(named).items():
        if times > 1:
            words = _("Player “%(id)s” is listed %(times)d times; once would be right.")
            raise ProblemError("wrong_players", words % {"id": name[:LONGEST_ID], "times": times})
    known = players_of(game, named)
    return [[known[player] for player in team] for team in teams]
