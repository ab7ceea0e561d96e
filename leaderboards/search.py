"""Finding players by the beginning of their name; case, accents and look-alike signs do not matter."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Prefetch, QuerySet

from leaderboards.models import Standing
from ratings.models import Ladder, Player, Rating, RatingTrack
from ratings.naming import skeleton_of

__all__ = ["Found", "SearchCursor", "find_in_track", "find_players"]

SIZE = 20
LONGEST = 100


@dataclass(frozen=True, slots=True)
class SearchCursor:
    """A place in the results, to read on from: `str()` and `parse` undo each other."""

    skeleton: str
    player_id: int

    def __str__(self) -> str:
        return f"{self.player_id}-{self.skeleton}"

    @classmethod
    def parse(cls, text: str) -> "SearchCursor":
        """Read what `str()` gave. Raises ValueError naming the text when it is anything else."""
        number, dash, skeleton = text.partition("-")
        is_number = number.isascii() and number.isdigit() and len(number) < 19
        if not (is_number and dash) or "\0" in skeleton:
            raise ValueError(f"cursor {text[:40]!r} is no place in a list of players")
        return cls(skeleton, int(number))


@dataclass(frozen=True, slots=True)
class Found:
    """Players whose name begins so, in alphabetical order, and where to read on (None: at the end)."""

    players: Sequence[Player]
    next: SearchCursor | None


def find_players(query: str, *, after: SearchCursor | None = None, size: int = SIZE) -> Found:
    """Search over all games. Each player has `shown_ratings`: his public ratings. Two queries.

    A query without any visible sign finds nobody.
    """
    skeleton = _skeleton(query)
    if not skeleton:
        return Found([], None)
    shown = Rating.objects.public().select_related("track__ladder", "standing").order_by("-games")
    players = _beginning_with(skeleton).select_related("game")
    if after is not None:
        # row comparison, written so that the index on (skeleton, id) is read from there on
        later = players.filter(skeleton__gte=after.skeleton)
        players = later.exclude(skeleton=after.skeleton, pk__lte=after.player_id)
    found = list(
        players.prefetch_related(Prefetch("ratings", queryset=shown, to_attr="shown_ratings"))[
            : size + 1
        ]
    )
    last = found[size - 1] if len(found) > size else None
    return Found(found[:size], SearchCursor(last.skeleton, last.pk) if last else None)


def find_in_track(track: RatingTrack, query: str, *, size: int = SIZE) -> list[Standing]:
    """Standings, hidden ones included, of players of the ladder's game whose name begins so."""
    skeleton = _skeleton(query)
    if not skeleton:
        return []
    ladder: Ladder = track.ladder
    players = _beginning_with(skeleton).filter(game=ladder.game_id)
    standings = Standing.objects.public().filter(track=track, player__in=players)
    return list(
        standings.select_related("player", "rating").order_by("player__skeleton", "player_id")[
            :size
        ]
    )


def _beginning_with(skeleton: str) -> QuerySet[Player]:
    return Player.objects.filter(skeleton__startswith=skeleton).order_by("skeleton", "pk")


def _skeleton(query: str) -> str:
    text = query.replace("\0", "").strip()[:LONGEST]  # PostgreSQL knows no NUL
    return skeleton_of(text) if text else ""
