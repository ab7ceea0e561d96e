"""Matches that the game arranges itself, without a queue."""

from collections import Counter
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.access import needs
from api.auth.people import LONGEST_ID, game_served, players_of
from api.auth.scopes import Scope
from api.contract.bodies import Body, WordField
from api.contract.fields import IdField, ListOfField, ShortNameField, TextField, TruthField
from api.contract.pages import PageBody, page_by
from api.contract.problems import ProblemError
from api.serializers.matches import MatchesShape, MatchStateShape
from api.views.base import ApiView
from api.views.matches.reports import NEUTRAL
from foundation.postgresql.transactions import from_one_snapshot
from ratings.archiving import ArchivedError
from ratings.matches.start import start_match
from ratings.matches.summary import with_people
from ratings.models import Game, Ladder, Match, MatchState
from ratings.players.new_ids import has_breaks

__all__ = ["MatchesView", "ladder_of"]


@extend_schema_field(
    {
        "type": "string",
        "maxLength": LONGEST_ID,
        "pattern": r"^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$",
    }
)
class NewMatchIdField(IdField):
    """How a game names a match that begins."""

    default_error_messages = {
        "breaks": gettext_lazy("Must have no control characters and no line breaks.")
    }

    def to_internal_value(self, data: Any) -> str:
        found: str = super().to_internal_value(data)
        if has_breaks(found):
            self.fail("breaks")
        return found


_TEAM = ListOfField(child=IdField(), min_length=1, max_length=100)


class ArrangeBody(Body):
    """Who meets whom."""

    ladder = ShortNameField(help_text="Short name of the ladder.")
    teams = ListOfField(
        child=_TEAM,
        min_length=2,
        max_length=100,
        help_text="The players' ids in the game, by team.",
    )
    external_id = NewMatchIdField(
        required=False,
        allow_blank=True,
        help_text="How the game names the match; else it is given one.",
    )
    map = TextField(
        required=False, allow_blank=True, help_text="Where it is played; left out: not known."
    )
    neutral = TruthField(default=False, help_text=NEUTRAL)
    rated = TruthField(
        default=True, help_text="false: played and confirmed as any other, it changes no rating."
    )


class MatchesBody(PageBody):
    """Which matches are listed."""

    state = WordField(
        choices=MatchState.values, required=False, help_text="In this state; all without it."
    )
    ladder = ShortNameField(required=False, help_text="Of this ladder; of all without it.")
    external_id = IdField(
        required=False,
        help_text="With this id in the game, for servers: one match, or none; also of an archived ladder.",
    )


class MatchesView(ApiView):
    """Arranging matches, and finding them again."""

    has_address = True
    access = {
        "GET": needs(Scope.READ, Scope.PLAY, Scope.MATCHES_WRITE),
        "POST": needs(Scope.MATCHES_WRITE),
    }
    query = {"GET": MatchesBody}
    problems = {
        "GET": ("unknown_ladder", "archived"),
        "POST": (
            "unknown_ladder",
            "archived",
            "rated_by_events",
            "unknown_player",
            "wrong_players",
            "already_playing",
            "suspended",
            "match_exists",
        ),
    }
    tag = "Matches"

    @extend_schema(summary="The caller's matches", responses=MatchesShape)
    @from_one_snapshot
    def get(self, request: Request) -> Response:
        """Matches of all ladders, hidden ones too, the newest first: the player's own, or those of the server's game.
        With `state=playing` those that go on, after a restart or a lost stream.
        """
        given, player, game = self.parameters, self.caller.player, self.caller.game
        if player is None and game is not None and "external_id" in given:
            matches = Match.objects.named_by_server(game.pk)
            matches = matches.filter(external_id=given["external_id"])
        else:
            mine = {"game": game} if player is None else {"participants__player": player}
            matches = Match.objects.in_use().filter(**mine)
            if "external_id" in given:  # players are not told the ids of the game by asking either
                matches = matches.none()
        if "state" in given:
            matches = matches.filter(state=given["state"])
        if game is not None and "ladder" in given:
            matches = matches.filter(ladder=ladder_of(game, given["ladder"]))
        rows, after = page_by("-pk", "g", with_people(matches), given)
        if not rows and player is None and game is not None and "external_id" in given:
            _refuse_archived(game, given["external_id"])
        return self.page(MatchesShape, rows, after)

    @extend_schema(summary="Arrange a match", request=ArrangeBody, responses={201: MatchStateShape})
    def post(self, request: Request) -> Response:
        """Begins a match that the game arranged itself, now. Its players are in a match until it is reported, or its
        result is given.
        """
        given = self.body(ArrangeBody)
        game = game_served(self.caller)
        ladder = ladder_of(game, given["ladder"])
        if ladder.is_archived:
            raise ArchivedError(ladder, ladder=ladder.slug)
        named = [player for team in given["teams"] for player in team]
        for name, times in Counter(named).items():
            if times > 1:
                words = _("Player “%(id)s” is listed %(times)d times; once would be right.")
                said = words % {"id": name[:LONGEST_ID], "times": times}
                raise ProblemError("wrong_players", said)
        known = players_of(game, named)
        match = start_match(
            ladder=ladder,
            teams=[[known[name].player for name in team] for team in given["teams"]],
            external_id=given.get("external_id", ""),
            map_name=given.get("map", ""),
            neutral=given["neutral"],
            rated=given["rated"],
            reported_as={
                it.player: it.reported_as for it in known.values() if it.reported_as is not None
            },
        )
        headers = {"Location": reverse("api:match", args=[match.pk])}
        return Response(self.shown(MatchStateShape, match), status=201, headers=headers)


def _refuse_archived(game: Game, external_id: str) -> None:
    """Raise ArchivedError where there is such a match, but no more for servers of the game: see `named_by_server`."""
    there = Match.objects.filter(game=game, external_id=external_id)
    if there.exclude(pk__in=Match.objects.named_by_server(game.pk).values("pk")).exists():
        raise ArchivedError(game)


def ladder_of(game: Game | None, slug: str) -> Ladder:
    """A ladder of the game; refuses with `unknown_ladder`."""
    ladder = Ladder.objects.filter(game=game, slug=slug).first()
    if ladder is None:
        words = _("This game has no ladder “%(ladder)s”.") % {"ladder": slug}
        raise ProblemError("unknown_ladder", words)
    return ladder
