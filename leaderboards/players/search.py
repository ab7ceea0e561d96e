"""Finding players by the words of their names, with what is public of their ratings."""

from collections.abc import Sequence
from dataclasses import dataclass

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
    WHERE standing.track_id = %(track)s AND standing.player_id = (
        SELECT coalesce(merged_into_id, id) FROM ratings_player WHERE id = found.player_id
    )
)"""

# What is archived is found by nobody.
_IN_USE = """
    AND found.game_id NOT IN (SELECT id FROM ratings_game WHERE archived_at IS NOT NULL)
    AND NOT EXISTS (
        SELECT FROM ratings_player AS player WHERE player.id = found.player_id AND player.archived_at IS NOT NULL
    )
"""
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
    """Search over all games, or in the one of this short name. Ten queries at most. Unless they are not wanted, each
    player has `shown_ratings`: the public ratings.

    A query without any visible sign finds nobody. Who was merged into another is found as that one.
    """
    rows = find_cursors(
        query,
        after=after,
        limit=size + 1,
        within=_IN_USE + _IN_GAME if game else _IN_USE,
        given={"game": game},
    )
    known = Player.objects.select_related("game")
    if ratings:
        shown = Rating.objects.public().select_related("track__ladder", "standing")
        best = Prefetch("ratings", queryset=shown.order_by("-games"), to_attr="shown_ratings")
        known = known.prefetch_related(best)
    named = known.in_bulk([row.player_id for row in rows[:size]])
    # Mostly none is asked for a second time.
    others = {one.merged_into_id for one in named.values() if one.merged_into_id} - named.keys()
    players = named | (known.in_bulk(others) if others else {})
    meant = [
        named[row.player_id].merged_into_id or row.player_id
        for row in rows[:size]
        if row.player_id in named
    ]
    found = [players[pk] for pk in dict.fromkeys(meant) if pk in players]
    return Found(found, rows[size - 1] if len(rows) > size else None)


def find_in_track(track: RatingTrack, query: str, *, size: int = SIZE) -> list[Standing]:
    """Standings, hidden ones included, of the players of the ladder's game that the query finds, the best first."""
    given = {"game": track.ladder.game_id, "track": track.pk}
    rows = find_cursors(query, limit=size, within=_ON_TRACK, given=given)
    players = _meant(rows)
    standings = Standing.objects.public().filter(track=track, player__in=players)
    known = {it.player_id: it for it in standings.select_related("player", "rating")}
    return [known[player] for player in players if player in known]


def _meant(rows: Sequence[SearchCursor]) -> list[int]:
    """The ids of those who are found, each once: of who was merged into another, that one's. One query."""
    ids = [row.player_id for row in rows]
    merged = Player.objects.filter(pk__in=ids, merged_into__isnull=False)
    into = dict(merged.values_list("pk", "merged_into"))
    return list(dict.fromkeys(into.get(pk) or pk for pk in ids))
