"""Finding players by the words of their names, with what is public of their ratings."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Prefetch

from foundation.names import LONGEST_QUERY
from leaderboards.models import Standing
from ratings.models import Player, Rating, RatingTrack
from ratings.players.search import SearchCursor, find_cursors

__all__ = ["LONGEST", "Found", "SearchCursor", "find_in_track", "find_players"]

SIZE = 20
LONGEST = LONGEST_QUERY

_ON_TRACK = """ AND found.game_id = %(game)s AND EXISTS (
    SELECT FROM leaderboards_standing AS standing
    WHERE standing.track_id = %(track)s AND standing.player_id = found.player_id
)"""

_IN_GAME = " AND found.game_id = (SELECT id FROM ratings_game WHERE slug = %(game)s)"


@dataclass(frozen=True, slots=True)
class Found:
    """Players whose names fit, the best first, and where to read on (None: at the end)."""

    players: Sequence[Player]
    next: SearchCursor | None


def find_players(
    query: str,
    *,
    after: SearchCursor | None = None,
    size: int = SIZE,
    game: str | None = None,
    ratings: bool = True,
) -> Found:
    """Search over all games, or in the one of this short name. Six queries at most. Unless they are not wanted, each
    player has `shown_ratings`: the public ratings.

    A query without any visible sign finds nobody.
    """
    narrowed: dict[str, Any] = {"within": _IN_GAME, "given": {"game": game}} if game else {}
    rows = find_cursors(query, after=after, limit=size + 1, **narrowed)
    known = Player.objects.select_related("game")
    if ratings:
        shown = Rating.objects.public().select_related("track__ladder", "standing")
        best = Prefetch("ratings", queryset=shown.order_by("-games"), to_attr="shown_ratings")
        known = known.prefetch_related(best)
    players = known.in_bulk([row.player_id for row in rows[:size]])
    found = [players[row.player_id] for row in rows[:size] if row.player_id in players]
    return Found(found, rows[size - 1] if len(rows) > size else None)


def find_in_track(track: RatingTrack, query: str, *, size: int = SIZE) -> list[Standing]:
    """Standings, hidden ones included, of the players of the ladder's game that the query finds, the best first."""
    given = {"game": track.ladder.game_id, "track": track.pk}
    rows = find_cursors(query, limit=size, within=_ON_TRACK, given=given)
    standings = Standing.objects.public().filter(
        track=track, player__in=[row.player_id for row in rows]
    )
    known = {it.player_id: it for it in standings.select_related("player", "rating")}
    return [known[row.player_id] for row in rows if row.player_id in known]
