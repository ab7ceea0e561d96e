"""Leaderboards."""

import hashlib
import time
from collections.abc import Hashable
from typing import Any

from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.access import PUBLIC
from api.contract.pages import PageBody, link, wrong
from api.contract.problems import ProblemError
from api.contract.shapes import Answer
from api.serializers.boards import BoardShape
from api.views.base import ApiView
from api.views.games import public_ladder
from foundation.kept_pages import keep_answer, kept_answer
from foundation.page_parts import version_of
from foundation.postgresql.transactions import from_one_snapshot
from leaderboards.boards import ranking
from leaderboards.boards.ranking import Counts, Cursor, Page, Summary
from leaderboards.models import Board
from leaderboards.visibility import board_of, public_track, shown_tracks
from ratings.models import Ladder, Player, RatingTrack
from ratings.models.tracks import BoardBy

__all__ = ["BoardView"]

_MOST = 2**63 - 1
_AFTER, _BEFORE = "a", "b"
_STARTS = ("cursor", "around", "rank")
_KNOWN = OpenApiParameter(
    "If-None-Match", {"type": "string"}, "header", description="`ETag` of an earlier answer."
)


class BoardBody(PageBody):
    """Which part of the leaderboard. At most one of `cursor`, `around` and `rank`."""

    around = serializers.IntegerField(
        required=False, min_value=1, max_value=_MOST, help_text="A player's id: the page around."
    )
    rank = serializers.IntegerField(
        required=False, min_value=1, max_value=_MOST, help_text="The page that begins there."
    )
    everyone = serializers.BooleanField(
        default=False, help_text="With inactive and provisional players too."
    )

    def validate(self, attrs: Any) -> Any:
        """Refuse two starts at once."""
        given = [name for name in _STARTS if name in attrs]
        if len(given) > 1:
            words = _("Give only one of cursor, around and rank.")
            raise serializers.ValidationError({given[1]: words})
        return attrs


class BoardView(ApiView):
    """The leaderboard of a ladder."""

    access = {"GET": PUBLIC}
    query = {"GET": BoardBody}
    problems = {"GET": ("archived", "not_on_board")}
    tag = "Games and ladders"

    @extend_schema(
        summary="A leaderboard", parameters=[_KNOWN], responses={200: BoardShape, 304: None}
    )
    def get(self, request: Request, slug: str) -> Response:
        """Players by rating, or by conservative rating where `ordered_by` says so, best first: from the top, around a
        player, or from a rank on. Send the `ETag` of
        an answer as `If-None-Match`: 304 while it would be the same. Standings are as of now, names may be 20 seconds
        old, or as the operator says.
        """
        # Mostly it is still the board that was rendered last: then one query is all.
        if track := public_track(slug):
            kept = kept_answer(self._key(track.ladder), _version_of(track))
            if kept is not None:
                return self._answer(*kept)
        return self._answer(*self._anew(slug))

    def _answer(self, tag: str, shown: Answer) -> Response:
        """The answer, or that the caller has it already."""
        header = self.request.headers.get("If-None-Match", "")
        asked = [one.strip().removeprefix("W/") for one in header.split(",")]
        is_known = f'"{tag}"' in asked or "*" in asked
        response = Response(status=304) if is_known else Response(shown)
        response["ETag"], response["Cache-Control"] = f'W/"{tag}"', "private, no-cache"
        patch_vary_headers(response, ["Authorization"])
        return response

    @from_one_snapshot
    def _anew(self, slug: str) -> tuple[str, Answer]:
        """The answer, and a name for all that it says: names of players and who is hidden are in no revision."""
        began = time.monotonic()
        ladder = public_ladder(slug)
        track = shown_tracks([ladder]).get(ladder.pk)
        shown = self._board(ladder, track, serves=self.caller.serves(ladder.game_id))
        digest = hashlib.blake2b(repr(shown).encode(), digest_size=8)
        named = digest.hexdigest(), shown
        keep_answer(self._key(ladder), _version_of(track), named, began=began)
        return named

    def _key(self, ladder: Ladder) -> Hashable:
        serves = self.caller.serves(ladder.game_id)
        return ("board", self.request.build_absolute_uri(), serves)

    def _board(self, ladder: Ladder, track: RatingTrack | None, *, serves: bool) -> Answer:
        of = None if track is None else board_of(track)
        page = _page(of, self.parameters) if of else Page()
        before = None if page.previous is None else f"{_BEFORE}{page.previous}"
        after = None if page.next is None else f"{_AFTER}{page.next}"
        counts = ranking.counts(of) if of else Counts()
        summary = ranking.summary(of) if of else Summary()
        external_ids: dict[int, str] = {}
        if serves:
            people = Player.objects.filter(pk__in=[row.player_id for row in page.rows])
            external_ids = dict(people.values_list("pk", "external_id"))
        board = {
            "ladder": ladder.slug,
            "simulated": ladder.game.simulated,
            "ordered_by": of.rule_board_by if isinstance(of, Board) else BoardBy.RATING,
            "ordered_by_deviations": of.deviations if isinstance(of, Board) else 0.0,
            "updated_at": summary.updated_at,
            "next_update_at": summary.next_update,
            "counts": counts,
            "results": page.rows,
            "next": link(self.request, after, without=_STARTS),
            "previous": link(self.request, before, without=_STARTS),
        }
        return self.shown(BoardShape, board, external_ids=external_ids)


def _version_of(track: RatingTrack | None) -> str:
    board = getattr(track, "board", None)
    return version_of(track and track.pk, (board.revision, board.updated_at) if board else None)


def _page(of: RatingTrack | Board, given: Any) -> Page:
    """The part of the board that is asked for."""
    everyone, size = given["everyone"], given["limit"]
    if "around" in given:
        found = ranking.around(of, given["around"], everyone=everyone, size=size)
        if found is None:
            words = _("Player %(id)d is not on this leaderboard.") % {"id": given["around"]}
            raise ProblemError("not_on_board", words)
        return found
    if "rank" in given:
        return ranking.at_rank(of, given["rank"], everyone=everyone, size=size)
    text = given.get("cursor", "")
    if not text:
        return ranking.page(of, everyone=everyone, size=size)
    try:
        cursor = Cursor.parse(text[1:])
    except ValueError:
        raise wrong("cursor") from None
    if text[0] not in {_AFTER, _BEFORE}:
        raise wrong("cursor")
    after, before = (cursor, None) if text[0] == _AFTER else (None, cursor)
    return ranking.page(of, after=after, before=before, everyone=everyone, size=size)
