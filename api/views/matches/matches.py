"""Matches."""

from datetime import UTC, datetime, timedelta

from django.db.models import Q, QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.access import PUBLIC
from api.auth.callers import Caller
from api.contract.pages import PageBody, cut, decode, encode, wrong
from api.serializers.matches import MatchDetailShape, MatchesShape
from api.views.base import ApiView
from api.views.games import public_ladder
from foundation.postgresql.bulk import to_micros
from foundation.postgresql.transactions import from_one_snapshot
from ratings.matches.summary import read_matches, with_people
from ratings.models import Match

__all__ = ["LadderMatchesView", "MatchView", "matches_for"]

_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)


class MatchView(ApiView):
    """A match."""

    access = {"GET": PUBLIC}
    problems = {"GET": ("archived",)}
    tag = "Matches"

    @extend_schema(summary="A match", responses=MatchDetailShape)
    @from_one_snapshot
    def get(self, request: Request, match_id: int) -> Response:
        """Who played, how it ended and what it did to the ratings. A match of a ladder that is not ranked is there
        for its players and the game's servers only; one of an archived ladder that is over for the game's servers.
        """
        matches = with_people(matches_for(self.caller)).select_related("log__server")
        match = get_object_or_404(matches, pk=match_id)
        (summary,) = read_matches([match])
        contributions = summary.contributions.values()
        return Response(self.shown(MatchDetailShape, match, contributions=contributions))


def matches_for(caller: Caller) -> QuerySet[Match]:
    """The matches that a caller may ask for by their ids: those it may see, and of its game those that events name."""
    matches = caller.visible_matches
    if caller.player is None and caller.game_id is not None:
        matches |= Match.objects.named_by_server(caller.game_id)
    return matches


class LadderMatchesView(ApiView):
    """The matches of a ladder."""

    access = {"GET": PUBLIC}
    query = {"GET": PageBody}
    problems = {"GET": ("archived",)}
    tag = "Games and ladders"

    @extend_schema(summary="A ladder's matches", responses=MatchesShape)
    @from_one_snapshot
    def get(self, request: Request, slug: str) -> Response:
        """The matches of a ranked ladder in every state, by when they began, newest first."""
        given = self.parameters
        ladder = public_ladder(slug)
        matches = with_people(Match.objects.filter(ladder=ladder)).order_by("-played_at", "-pk")
        if "cursor" in given:
            micros, pk = decode("p", given["cursor"], 2)
            try:
                at = _EPOCH + timedelta(microseconds=micros)
            except OverflowError:
                raise wrong("cursor") from None
            # the first condition, though it follows from the second, is what the index can begin from
            below = Q(played_at__lte=at) & (Q(played_at__lt=at) | Q(pk__lt=pk))
            matches = matches.filter(below)
        rows, last = cut(list(matches[: given["limit"] + 1]), given["limit"])
        after = encode("p", to_micros(last.played_at), last.pk) if last else None
        return self.page(MatchesShape, rows, after)
