"""Games and their ladders."""

from collections.abc import Mapping
from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.access import PUBLIC
from api.contract.fields import ShortNameField
from api.contract.pages import PageBody, page_by, page_shape
from api.serializers.games import GameShape, LadderDetailShape, LadderShape
from api.views.base import ApiView
from foundation.postgresql.transactions import from_one_snapshot
from leaderboards.boards.overview import cards_of
from leaderboards.visibility import public_ladders
from ratings.archiving import ArchivedError
from ratings.models import Game, Ladder, Mode

__all__ = ["GamesView", "LadderView", "LaddersView", "OfGameBody", "of_game", "public_ladder"]

M = TypeVar("M", bound=Model)

GamesShape = page_shape("GamesShape", GameShape)
LaddersShape = page_shape("LaddersShape", LadderShape)


class OfGameBody(PageBody):
    """Of which game."""

    game = ShortNameField(required=False, help_text="Short name of a game.")


def of_game(rows: QuerySet[M], given: Mapping[str, Any], *, by: str = "game") -> QuerySet[M]:
    """Those of the game that OfGameBody names, or all; `by` leads from a row to its game."""
    return rows.filter(**{f"{by}__slug": given["game"]}) if "game" in given else rows


class GamesView(ApiView):
    """All games."""

    access = {"GET": PUBLIC}
    query = {"GET": PageBody}
    tag = "Games and ladders"

    @extend_schema(summary="Games", responses=GamesShape)
    def get(self, request: Request) -> Response:
        """All games of this site, oldest first."""
        given = self.parameters
        rows, after = page_by("pk", "g", Game.objects.in_use(), given)
        return self.page(GamesShape, rows, after)


class LaddersView(ApiView):
    """All public ladders."""

    access = {"GET": PUBLIC}
    query = {"GET": OfGameBody}
    tag = "Games and ladders"

    @extend_schema(summary="Ladders", responses=LaddersShape)
    @from_one_snapshot
    def get(self, request: Request) -> Response:
        """Ranked ladders, oldest first. Ladders of normal mode are not shown: their ratings are hidden."""
        given = self.parameters
        rows, after = page_by("pk", "l", of_game(public_ladders(), given), given)
        return self.page(LaddersShape, cards_of(rows), after)


class LadderView(ApiView):
    """One public ladder."""

    access = {"GET": PUBLIC}
    problems = {"GET": ("archived",)}
    tag = "Games and ladders"

    @extend_schema(summary="A ladder", responses=LadderDetailShape)
    @from_one_snapshot
    def get(self, request: Request, slug: str) -> Response:
        """A ranked ladder with its rules, and how many players it has."""
        (card,) = cards_of([public_ladder(slug)])
        return Response(self.shown(LadderDetailShape, card))


def public_ladder(slug: str) -> Ladder:
    """The ranked ladder of this name; refuses with `not_found`, or with `archived`."""
    ranked = Ladder.objects.filter(mode=Mode.RANKED).select_related("game")
    ladder = get_object_or_404(ranked, slug=slug)
    if ladder.is_archived:
        raise ArchivedError(ladder)
    return ladder
