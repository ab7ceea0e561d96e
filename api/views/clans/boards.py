"""The clans of a ladder."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.access import PUBLIC
from api.contract.shapes import Shape
from api.serializers.players import PlayerRefShape
from api.views.base import ApiView
from api.views.games import public_ladder
from clans.boards import ClanRow, clan_board
from clans.models import BoardBy
from clans.rules import rules_of
from foundation.postgresql.transactions import from_one_snapshot
from leaderboards.visibility import shown_tracks
from ratings.models import Player

__all__ = ["BOARD_BY", "LadderClansView"]

BOARD_BY = BoardBy.values


class ClanRefShape(Shape):
    """A clan, named in something else."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    tag = serializers.CharField()


class ClanRowShape(Shape):
    """A clan on a ladder. Clans with equal ratings share a rank."""

    rank = serializers.IntegerField()
    clan = ClanRefShape()
    rating = serializers.FloatField(source="value")
    listed = serializers.IntegerField(help_text="Members whom the leaderboard lists.")
    best = PlayerRefShape(help_text="The best of these.")

    def get_best(self, row: ClanRow) -> Player:
        best: Player = self.context["best"][row.best]
        return best


class LadderClansShape(Shape):
    """The clans of a ladder, the best first."""

    counted = serializers.IntegerField(help_text="How many members of each clan count, the best.")
    by = serializers.ChoiceField(
        choices=BOARD_BY,
        help_text="What `rating` is of theirs. By the mean a clan has as many on the leaderboard, or is left out.",
    )
    results = ClanRowShape(many=True)


class LadderClansView(ApiView):
    """Clans of a ladder."""

    access = {"GET": PUBLIC}
    problems = {"GET": ("archived",)}
    tag = "Clans"

    @extend_schema(summary="The clans of a ladder", responses=LadderClansShape)
    @from_one_snapshot
    def get(self, request: Request, slug: str) -> Response:
        """The hundred best, by the ratings of their best members on the leaderboard of the ladder."""
        ladder = public_ladder(slug)
        rules = rules_of(ladder.game_id)
        track = shown_tracks([ladder]).get(ladder.pk)
        rows = clan_board(track, rules) if track is not None else []
        best = Player.objects.in_bulk([row.best for row in rows])
        found = {"counted": rules.counted, "by": rules.board_by, "results": rows}
        return Response(self.shown(LadderClansShape, found, best=best))
