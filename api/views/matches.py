"""Matches."""

from datetime import UTC, datetime, timedelta

from django.db.models import Q
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.access import PUBLIC
from api.contract.pages import PageBody, cut, decode, encode, link, wrong
from api.serializers.matches import MatchDetailShape, MatchesShape, detail_of, match_of
from api.views.base import ApiView
from api.views.games import public_ladder
from foundation.bulk import to_micros
from foundation.transactions import from_one_snapshot
from leaderboards.matches.lists import with_people
from leaderboards.visibility import shown_tracks
from ratings.ledger.contributions import contributions_of
from ratings.models import Match

__all__ = ["LadderMatchesView", "MatchView"]

_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)


class MatchView(ApiView):
    """A match."""

    access = {"GET": PUBLIC}
    tag = "Matches"

    @extend_schema(summary="A match", responses=MatchDetailShape)
    @from_one_snapshot
    def get(self, request: Request, match_id: int) -> Response:
        """Who played, how it ended and what it did to the ratings. A match of a ladder that is not ranked is there
        for its players and the game's servers only.
        """
        match = with_people(self.caller.visible_matches.filter(pk=match_id)).first()
        if match is None:
            raise Http404
        tracks = shown_tracks([match.ladder])
        people = [one.player_id for one in match.participants.all()]
        changes = contributions_of(tracks, [match], players=people)
        url = request.build_absolute_uri(match.get_absolute_url())
        return Response(detail_of(match, self.caller, changes, url))


class LadderMatchesView(ApiView):
    """The matches of a ladder."""

    access = {"GET": PUBLIC}
    query = {"GET": PageBody}
    tag = "Games and ladders"

    @extend_schema(summary="A ladder's matches", responses=MatchesShape)
    @from_one_snapshot
    def get(self, request: Request, slug: str) -> Response:
        """The matches of a ranked ladder in every state, by when they began, newest first."""
        given = self.parameters
        ladder = public_ladder(slug)
        matches = with_people(Match.objects.filter(ladder=ladder)).order_by("-played_at", "-pk")
        if "cursor" in given:
            matches = matches.filter(_below(given["cursor"]))
        rows, last = cut(list(matches[: given["limit"] + 1]), given["limit"])
        after = encode("p", to_micros(last.played_at), last.pk) if last else None
        results = [match_of(row, self.caller) for row in rows]
        return Response({"results": results, "next": link(request, after)})


def _below(cursor: str) -> Q:
    """What comes after the row that the cursor names."""
    micros, pk = decode("p", cursor, 2)
    try:
        at = _EPOCH + timedelta(microseconds=micros)
    except OverflowError:
        raise wrong("cursor") from None
    # the first condition, though it follows from the second, is what the index can begin from
    return Q(played_at__lte=at) & (Q(played_at__lt=at) | Q(pk__lt=pk))
