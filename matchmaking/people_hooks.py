"""What matchmaking knows for `people`, which lies below it: who avoids whom."""

from collections.abc import Sequence

from matchmaking.avoid_list import avoided_by
from matchmaking.models import Avoided
from ratings.models import Player

__all__ = ["avoided_players", "avoiding"]


def avoiding(player_id: int, other_ids: Sequence[int]) -> set[int]:
    """Those of the others who avoid the player. One query."""
    listed = Avoided.objects.filter(avoided=player_id, player__in=other_ids)
    return set(listed.values_list("player", flat=True))


def avoided_players(player_id: int) -> list[Player]:
    """Whom the player avoids, the latest first. One query."""
    return [row.avoided for row in avoided_by(player_id)]
