"""Which matches players are in, and which they came to last."""

from collections.abc import Collection

from django.db.models import QuerySet

from foundation.postgresql.prepared import prepared
from ratings.models import Match, Participant

__all__ = ["current_match", "latest_match", "playing_of"]

_PLAYING = (
    "SELECT player_id, match_id FROM ratings_participant WHERE player_id = ANY(%s) AND playing"
)


def playing_of(player_ids: Collection[int]) -> dict[int, int]:
    """Return the matches that these players are in and have not reported, by player."""
    with prepared() as cursor:
        cursor.execute(_PLAYING, [list(player_ids)])
        return dict(cursor.fetchall())


def current_match(player_id: int) -> Match | None:
    """Return the match that the player is in and has not reported; None when there is none."""
    return _match_of(Participant.objects.filter(player=player_id, playing=True))


def latest_match(player_id: int) -> Match | None:
    """The match the player came to last; None before the first. One query."""
    return _match_of(Participant.objects.filter(player=player_id).order_by("-match_id"))


def _match_of(participants: QuerySet[Participant]) -> Match | None:
    participant = participants.select_related("match__ladder__game", "match__offer").first()
    return participant.match if participant else None
