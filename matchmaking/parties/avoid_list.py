"""Avoid lists. A list is for its owner's eyes only: nobody learns who avoids whom, the avoided least of all."""

from collections.abc import Sequence

from django.db.models import QuerySet

from foundation import clock
from foundation.transactions import briefly
from matchmaking.models import Avoided
from matchmaking.refusals import AvoidsItselfError, AvoidsTooManyError, WrongGameError
from ratings.models import Player

__all__ = ["MOST", "avoid", "avoided_by", "avoids", "stop_avoiding"]

MOST = 100  # on one list


def avoid(*, player: Player, other: Player) -> bool:
    """Put somebody on a player's list; returns whether that is new. Whoever stands there already stays there.

    Raises AvoidsItselfError, WrongGameError, AvoidsTooManyError.
    """
    if player.pk == other.pk:
        raise AvoidsItselfError(player.pk)
    if player.game_id != other.game_id:
        raise WrongGameError(other.pk)
    with briefly():
        # Two at once wait for each other here, so that the list does not grow past its end.
        Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        own = Avoided.objects.filter(player=player)
        if own.filter(avoided=other).exists():
            return False
        if own.count() >= MOST:
            raise AvoidsTooManyError(MOST)
        Avoided.objects.create(player=player, avoided=other, created_at=clock.now())
    return True


def stop_avoiding(*, player: Player, other_id: int) -> bool:
    """Take somebody off a player's list; returns whether the name stood there."""
    return bool(Avoided.objects.filter(player=player, avoided=other_id).delete()[0])


def avoided_by(player_id: int) -> QuerySet[Avoided]:
    """A player's own list, the latest first, with those who stand on it."""
    return Avoided.objects.filter(player=player_id).select_related("avoided").order_by("-pk")


def avoids(player_id: int, other_ids: Sequence[int]) -> set[int]:
    """Which of these a player avoids. One query."""
    listed = Avoided.objects.filter(player=player_id, avoided__in=other_ids)
    return set(listed.values_list("avoided", flat=True))
