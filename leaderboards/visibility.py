"""What may be shown on pages of leaderboards and players; those of matches begin at `ratings.matches.summary`.

Both go by the rule beside `RatingTrack`.
"""

from collections.abc import Iterable

from django.db.models import QuerySet

from foundation.postgresql.rows import BuiltOnce
from leaderboards.models import Board
from ratings.matches.summary import public_tracks
from ratings.models import Ladder, Rating, RatingTrack

__all__ = ["board_of", "public_ladders", "public_track", "shown_tracks", "with_ladders"]

_shown = BuiltOnce(
    lambda slug: (
        RatingTrack.objects.public()
        .filter(ladder__slug=slug)
        .select_related("board", "ladder__game")
    ),
    str,
)


def public_track(slug: str) -> RatingTrack | None:
    """The track that players see of a public ladder by its short name, with board, ladder and game. One query."""
    return next(iter(_shown(slug)), None)


def public_ladders() -> QuerySet[Ladder]:
    """Ranked ladders with their games, in the order of pages."""
    return Ladder.objects.public().select_related("game")


def shown_tracks(ladders: Iterable[Ladder]) -> dict[int, RatingTrack]:
    """The track that players see, with its board, by ladder id; ladders that are not public are left out. One query."""
    return public_tracks(ladders, "board")


def board_of(track: RatingTrack) -> Board | RatingTrack:
    """What `leaderboards.boards.ranking` reads by of a shown track: its board, or before its first refresh itself."""
    board: Board | None = getattr(track, "board", None)
    return board or track


def with_ladders(ratings: QuerySet[Rating]) -> list[Rating]:
    """Public ratings with their tracks and ladders, the one played last first. One query."""
    return list(ratings.select_related("track__ladder__game").order_by("-last_played_at", "-pk"))
