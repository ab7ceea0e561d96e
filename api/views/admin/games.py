"""Games, made and changed."""

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.contract.column_fields import fields_of
from api.contract.fields import with_fields
from api.contract.pages import PageBody, page_by, page_shape
from api.contract.problems import ProblemError
from api.serializers.admin import GameSetupShape
from api.views.admin.base import ADMIN, AdminView, NotedBody
from ratings.ladders.games import GAME_COLUMNS, change_game, obtain_game
from ratings.models import Game

__all__ = ["GameView", "GamesView"]

GamesSetupShape = page_shape("GamesSetupShape", GameSetupShape)


@with_fields(fields_of(Game, GAME_COLUMNS), before="note")
class GameBody(NotedBody):
    """What is chosen for a game. What is left out stays, or is as usual."""


class GamesView(AdminView):
    """The games that the key may set up."""

    access = {"GET": ADMIN}
    query = {"GET": PageBody}

    @extend_schema(summary="Games to set up", responses=GamesSetupShape)
    def get(self, request: Request) -> Response:
        """The key's own game, or all of them, oldest first, with what is chosen for each."""
        rows, after = page_by("pk", "g", self.games, self.parameters)
        return self.page(GamesSetupShape, rows, after)


class GameView(AdminView):
    """One of them."""

    access = {"GET": ADMIN, "PUT": ADMIN}
    problems = {"PUT": ("key_of_one_game",)}

    @extend_schema(summary="A game to set up", responses=GameSetupShape)
    def get(self, request: Request, slug: str) -> Response:
        """A game, with what is chosen for it."""
        return Response(self.shown(GameSetupShape, get_object_or_404(self.games, slug=slug)))

    @extend_schema(
        summary="Make or change a game",
        request=GameBody,
        responses={200: GameSetupShape, 201: GameSetupShape},
    )
    def put(self, request: Request, slug: str) -> Response:
        """Makes the game if it is not there, and else changes what is given. As often as you like."""
        given = self.body(GameBody)
        note = given.pop("note", "")
        if self.key.game_id is not None and not self.games.filter(slug=slug).exists():
            raise ProblemError("key_of_one_game", _("This key is for another game."))
        with self.acting():
            game, is_new = obtain_game(slug, given)
            if not is_new:
                change_game(game, given, actor=None, note=note)
        return Response(self.shown(GameSetupShape, game), status=201 if is_new else 200)
