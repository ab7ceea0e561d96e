"""Ratings by map or by character, for those who match on them, and what they come to as a whole."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db import connection

from ratings.models import Facet, Ladder, Rating, RatingTrack, TrackState

__all__ = [
    "Overall",
    "competitor_ratings",
    "facet_ratings",
    "facet_track",
    "is_first_of_its_kind",
    "overall_of",
    "overall_ratings",
]

_OF_COMPETITORS = """
SELECT rating.* FROM unnest(%(players)s::bigint[], %(values)s::text[]) AS wanted (player, value)
JOIN ratings_rating AS rating ON rating.track_id = %(track)s AND rating.player_id = wanted.player
    AND rating.facet = wanted.value
"""
_OVERALL = """
SELECT player_id, sum(value * games) / sum(games), sum(games)
FROM ratings_rating WHERE track_id = %(track)s AND player_id = ANY(%(players)s) GROUP BY player_id
"""


@dataclass(frozen=True, slots=True)
class Overall:
    """The mean of a player's ratings, weighted by their games, and how many games that are."""

    value: float
    games: int


def facet_track(ladder_id: int, facet: str) -> RatingTrack | None:
    """Return the live track that rates each map, or each character, of a ladder: the shown one, else the first."""
    tracks = RatingTrack.objects.filter(ladder=ladder_id, facet=facet, state=TrackState.LIVE)
    return tracks.exclude(facet=Facet.NONE).order_by("-shown", "pk").first()


def is_first_of_its_kind(ladder: Ladder, facet: str) -> bool:
    """Whether none of the ladder's tracks that rate this apart (or players as a whole) is shown yet."""
    return not ladder.tracks.filter(shown=True, facet=facet).exists()


def facet_ratings(track: RatingTrack, player_ids: Collection[int], value: str) -> dict[int, Rating]:
    """The ratings of players with one character, or on one map; without those who never played it. One query."""
    rows = Rating.objects.filter(track=track, player__in=player_ids, facet=value)
    return {row.player_id: row for row in rows}


def competitor_ratings(
    track: RatingTrack, competitors: Sequence[tuple[int, str]]
) -> dict[tuple[int, str], Rating]:
    """The ratings of players each with a character (or map) of its own; without those who are new. One query."""
    given = {
        "track": track.pk,
        "players": [player for player, _value in competitors],
        "values": [value for _player, value in competitors],
    }
    rows = Rating.objects.raw(_OF_COMPETITORS, given)
    return {(row.player_id, row.facet): row for row in rows}


def overall_ratings(track: RatingTrack, player_ids: Collection[int]) -> dict[int, Overall]:
    """What the ratings of players on a track come to as a whole; without those who have none. One query."""
    with connection.cursor() as cursor:
        cursor.execute(_OVERALL, {"track": track.pk, "players": list(player_ids)})
        return {player: Overall(value, int(games)) for player, value, games in cursor.fetchall()}


def overall_of(ratings: Sequence[Rating]) -> Overall:
    """What ratings of one player come to as a whole. At least one of them, each with a game."""
    games = sum(rating.games for rating in ratings)
    return Overall(sum(rating.value * rating.games for rating in ratings) / games, games)
