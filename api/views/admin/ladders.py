"""Ladders, made and changed."""

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.contract.column_fields import fields_of
from api.contract.fields import ShortNameField, with_fields
from api.contract.pages import page_by, page_shape
from api.contract.problems import ProblemError
from api.serializers.admin import LadderSetupShape
from api.views.admin.base import ADMIN, AdminView, NotedBody
from api.views.games import OfGameBody, of_game
from ratings.ladders.ladders import (
    FIXED_COLUMNS,
    FREE_COLUMNS,
    change_ladder,
    obtain_ladder_of,
)
from ratings.ladders.refusals import FixedError
from ratings.models import Ladder
from ratings.tracks.parameters import LADDER_RULES

__all__ = ["LadderView", "LaddersView", "OfLadders"]

LaddersSetupShape = page_shape("LaddersSetupShape", LadderSetupShape)


@with_fields(fields_of(Ladder, (*FREE_COLUMNS, *FIXED_COLUMNS, *LADDER_RULES)), before="note")
class LadderBody(NotedBody):
    """What is chosen for a ladder. What is left out stays, or is as usual."""

    game = ShortNameField(
        required=False, help_text="Short name of the game; of a key of one game: its own."
    )


class OfLadders(AdminView):
    """What knows the ladders of the key's games."""

    @property
    def ladders(self) -> QuerySet[Ladder]:
        """Those that the key may set up."""
        return Ladder.objects.select_related("game").filter(game__in=self.games)

    def check_slug(self, is_there: bool) -> None:
        """Refuse a short name that something of a game has which the key is not for."""
        if is_there:
            words = _("Another game, which the key is not for, has something of this short name.")
            raise ProblemError("slug_taken", words)


class LaddersView(OfLadders):
    """The ladders that the key may set up."""

    access = {"GET": ADMIN}
    query = {"GET": OfGameBody}

    @extend_schema(summary="Ladders to set up", responses=LaddersSetupShape)
    def get(self, request: Request) -> Response:
        """Those of the key's games, oldest first, of normal mode too."""
        given = self.parameters
        rows, after = page_by("pk", "l", of_game(self.ladders, given), given)
        return self.page(LaddersSetupShape, rows, after)


class LadderView(OfLadders):
    """One of them."""

    access = {"GET": ADMIN, "PUT": ADMIN}
    problems = {"PUT": ("slug_taken", "cannot_change", "archived")}

    @extend_schema(summary="A ladder to set up", responses=LadderSetupShape)
    def get(self, request: Request, slug: str) -> Response:
        """A ladder, with its rules."""
        return Response(self.shown(LadderSetupShape, get_object_or_404(self.ladders, slug=slug)))

    @extend_schema(
        summary="Make or change a ladder",
        request=LadderBody,
        responses={200: LadderSetupShape, 201: LadderSetupShape},
    )
    def put(self, request: Request, slug: str) -> Response:
        """Makes the ladder if it is not there, and else changes what is given: as often as you like. It stays with its
        game, its mode and its teams. Rules apply from now on: every track gets a version where they enter ratings.
        """
        given = self.body(LadderBody)
        note, asked = given.pop("note", ""), given.pop("game", None)
        ladder = self.ladders.filter(slug=slug).first()
        if ladder is None:
            # In one statement: another deployment may be making it just now.
            others = Ladder.objects.filter(slug=slug).exclude(game__in=self.games)
            self.check_slug(others.exists())
            game = self.game_of({"game": asked})
        else:
            game = ladder.game
        with self.acting():
            ladder, is_new = obtain_ladder_of(game, slug, given)
            if ladder.game_id != game.pk or (asked or game.slug) != game.slug:
                self.check_slug(not self.games.filter(pk=ladder.game_id).exists())
                raise FixedError("game", given=asked, present=ladder.game.slug)
            if not is_new:
                change_ladder(ladder, given, actor=None, note=note)
        return Response(self.shown(LadderSetupShape, ladder), status=201 if is_new else 200)
