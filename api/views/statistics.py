"""What was counted on the servers of games, for everybody, as pages show it."""

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.access import PUBLIC
from api.contract.bodies import Body, WordField
from api.contract.fields import ShortNameField
from api.contract.pages import LIMIT, MOST, wrong
from api.serializers.statistics import PlayerStatisticsShape, StaticRankingShape, StatisticsShape
from api.views.base import ApiView
from api.views.players import find_player
from foundation.postgresql.transactions import from_one_snapshot
from leaderboards.logs.frag_ranking import CORES, rank_frags
from leaderboards.logs.player_statistics import on_servers
from leaderboards.logs.selection import SPANS, Selection, select_matches
from leaderboards.logs.statistics import ORDERS, statistics_of
from ratings.archiving import ArchivedError
from ratings.models import Game, Ladder, RatedBy

__all__ = ["PlayerStatisticsView", "StaticRankingView", "StatisticsView"]

_TAG = "Statistics"
_DAYS = tuple(days for days in SPANS if days is not None)
_CORES = tuple(frags for frags in CORES if frags is not None)


class SelectionBody(Body):
    """Of which matches."""

    server = ShortNameField(required=False, help_text="Short name of a server; all without it.")
    days = WordField(
        choices=_DAYS, required=False, help_text="Matches that ended in so many days until now."
    )
    limit = serializers.IntegerField(
        default=LIMIT, min_value=1, max_value=MOST, help_text="Players that are named."
    )


class StatisticsBody(SelectionBody):
    """And in which order."""

    order = WordField(
        choices=tuple(ORDERS),
        default="frags",
        help_text="The most first. By `ratio` and `per_hour` who has hardly played comes last.",
    )


class StaticRankingBody(SelectionBody):
    """And how they are ranked."""

    core = WordField(
        choices=_CORES,
        required=False,
        help_text="Only players of whom every two have at least so many frags between them.",
    )
    pairs = WordField(
        choices=("frags", "alike"),
        default="frags",
        help_text="What a pair counts: as much as it has frags, or as much as any other.",
    )


class StatisticsView(ApiView):
    """Figures of the servers of a game."""

    access = {"GET": PUBLIC}
    query = {"GET": StatisticsBody}
    problems = {"GET": ("archived",)}
    tag = _TAG

    @extend_schema(summary="Statistics of a game's servers", responses=StatisticsShape)
    @from_one_snapshot
    def get(self, request: Request, slug: str) -> Response:
        """Frags, deaths, weapons and maps of matches that are over, on ranked ladders that are rated by events. A match
        is counted some seconds after its end.
        """
        given = self.parameters
        selection = _selection(slug, given)
        found = statistics_of(selection, now=self.now, order=given["order"], most=given["limit"])
        figures = {
            "total": found.total,
            "players": found.players,
            "results": found.best,
            "weapons": found.weapons,
            "maps": found.maps,
        }
        return Response(self.shown(StatisticsShape, _named(selection) | figures))


class StaticRankingView(ApiView):
    """Everybody's place by frags alone."""

    access = {"GET": PUBLIC}
    query = {"GET": StaticRankingBody}
    problems = {"GET": ("archived",)}
    tag = _TAG

    @extend_schema(summary="A static ranking of a game's players", responses=StaticRankingShape)
    @from_one_snapshot
    def get(self, request: Request, slug: str) -> Response:
        """By least squares of who fragged whom how often, in the latest 5,000 matches at most of those that are asked
        for. Players between whom no chain of frags leads are in different groups, and cannot be compared.
        """
        given = self.parameters
        selection = _selection(slug, given)
        core = given.get("core")
        found = rank_frags(
            selection,
            now=self.now,
            core=core,
            by_frags=given["pairs"] == "frags",
            most=given["limit"],
        )
        figures = {name: getattr(found, name) for name in _FIGURES}
        said = {"core": core, "pairs": given["pairs"]}
        return Response(self.shown(StaticRankingShape, _named(selection) | said | figures))


class PlayerStatisticsView(ApiView):
    """What a player did on game servers."""

    access = {"GET": PUBLIC}
    problems = {"GET": ("archived", "player_merged")}
    tag = _TAG

    @extend_schema(summary="A player's statistics", responses=PlayerStatisticsShape)
    @from_one_snapshot
    def get(self, request: Request, player_id: int) -> Response:
        """Of all matches of the player that are over, on each ranked ladder that is rated by events."""
        player = find_player(player_id, request)
        ladders = Ladder.objects.public().filter(game=player.game_id, rated_by=RatedBy.EVENTS)
        found = [on_servers(player, ladder) for ladder in ladders.order_by("pk")]
        return Response(self.shown(PlayerStatisticsShape, {"results": [it for it in found if it]}))


_FIGURES = (
    "matches",
    "is_cut",
    "players",
    "group_count",
    "outside_core",
    "misfit",
    "groups",
)


def _selection(slug: str, given: Any) -> Selection:
    """What is asked for; refuses with `not_found`, `archived`, or `invalid_parameter` where there is no such server."""
    game = get_object_or_404(Game, slug=slug)
    if game.archived_at is not None:
        raise ArchivedError(game)
    server = given.get("server", "")
    selection = select_matches(game, server=server, days=given.get("days"))
    if selection is None:
        words = _("This game has no server “%(server)s” that everybody may see.")
        raise wrong("server", words % {"server": server})
    return selection


def _named(selection: Selection) -> dict[str, Any]:
    return {
        "game": selection.game.slug,
        "server": selection.server and selection.server.slug,
        "days": selection.days,
    }
