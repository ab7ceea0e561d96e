"""What a player has chosen of who may turn to it: reading and changing."""

from collections.abc import Mapping

from foundation.postgresql.transactions import briefly
from people.models import ContactWishes
from ratings.models import Player

__all__ = ["CHOICES", "choose", "wishes_of"]

CHOICES = ("write", "challenge", "see", "ask")


def wishes_of(player_id: int) -> ContactWishes:
    """What the player has chosen, or the defaults; not saved then. One query."""
    found = ContactWishes.objects.filter(player=player_id).first()
    return found or ContactWishes(player_id=player_id)


def choose(*, player: Player, chosen: Mapping[str, str]) -> ContactWishes:
    """Change those of the choices that are given; the others stay."""
    with briefly():
        Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        wishes = wishes_of(player.pk)
        for name in CHOICES:
            setattr(wishes, name, chosen.get(name, getattr(wishes, name)))
        wishes.save()
    return wishes
