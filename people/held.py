"""Two players who are held while something between them changes.

All changes between players hold both rows, in the order of their ids, as whoever deletes a person does: so no
friendship comes to be beside a block, and none with somebody who is gone.
"""

from people.refusals import NotOpenToThisError, OtherGameError, TiesItselfError
from ratings.models import Player
from ratings.players.site_ids import is_deleted

__all__ = ["hold"]


def hold(player: Player, other: Player) -> tuple[Player, Player]:
    """The two as they are now, held until the transaction ends.

    Raises TiesItselfError, OtherGameError, and NotOpenToThisError where the other is gone, or counts for somebody else.
    """
    if player.pk == other.pk:
        raise TiesItselfError(player.pk)
    if player.game_id != other.game_id:
        raise OtherGameError(other.pk)
    rows = Player.objects.filter(pk__in=[player.pk, other.pk]).order_by("pk")
    held = {one.pk: one for one in rows.select_for_update(no_key=True)}
    one, two = held[player.pk], held[other.pk]
    for gone in (one, two):
        if gone.merged_into_id is not None or is_deleted(gone):
            raise NotOpenToThisError(other.pk)
    return one, two
