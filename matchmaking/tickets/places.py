"""Nobody is in two places: whoever takes a place holds the players, and whoever begins a search waits for that.

Both look for other places only then: of two at the same moment one is seen by the other. References to players do not
wait for the lock, so that whoever holds it may wait for a match that begins elsewhere.
"""

from collections.abc import Collection, Sequence

from foundation.postgresql.prepared import prepared
from ratings.models import Player

__all__ = ["hold_players", "wait_for_places"]

_WAIT = "SELECT 1 FROM ratings_player WHERE id = ANY(%(players)s::bigint[]) ORDER BY id FOR SHARE"


def hold_players(player_ids: Collection[int]) -> Sequence[Player]:
    """Lock rows of players against searches that begin, and other places.

    Whoever has begun a search has committed it by the time this returns; whoever begins one waits until this is over.
    """
    rows = Player.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=player_ids)
    return list(rows.order_by("pk"))


def wait_for_places(player_ids: Sequence[int]) -> None:
    """Wait for whoever holds these players. Call it when the search is written, and look for other places after it."""
    with prepared() as cursor:
        cursor.execute(_WAIT, {"players": list(player_ids)})
