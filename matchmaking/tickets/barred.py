"""Who of those who would search together is kept out of a ranked queue by disputes."""

from collections.abc import Sequence

from matchmaking.models import Queue
from matchmaking.parties.own_party import PartySeen
from ratings.disputes import kept_out
from ratings.models import Mode, Player

__all__ = ["Barred", "barred_of"]

# A player, with the disputed matches of which one must be decided first.
Barred = tuple[Player, Sequence[int]]


def barred_of(queue: Queue, own: Player, party: PartySeen | None) -> list[Barred]:
    """Whom disputes keep from searching here: the player, then others of the party. One query at most."""
    if queue.ladder.mode != Mode.RANKED:
        return []
    players = [own, *(one for one in (party.members if party else ()) if one.pk != own.pk)]
    out = kept_out(queue.ladder.game, [one.pk for one in players])
    return [(one, out[one.pk]) for one in players if one.pk in out]
