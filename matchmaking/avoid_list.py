"""Block lists (in the API: avoided players). Nobody but the owner sees a list, nor learns to be on one."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from accounts.models import User
from foundation import clock
from foundation.transactions import briefly
from matchmaking.models import Avoided
from matchmaking.refusals import AvoidsItselfError, AvoidsTooManyError, WrongGameError
from ratings.models import Player

__all__ = ["MOST", "avoid", "avoid_lists", "avoided_by", "avoids", "stop_avoiding"]

MOST = 100  # on one list


@dataclass(frozen=True, slots=True)
class AvoidList:
    """The block list of a player of the account, the latest entry first."""

    player: Player
    avoided: list[Avoided]


def avoid(*, player: Player, other: Player) -> bool:
    """Put a player on another's list; returns whether that is new. The same again changes nothing.

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
    """Take a player off another's list; returns whether it was on it."""
    return bool(Avoided.objects.filter(player=player, avoided=other_id).delete()[0])


def avoided_by(player_id: int) -> QuerySet[Avoided]:
    """The entries of a player's list, the latest first, with the players on it."""
    return Avoided.objects.filter(player=player_id).select_related("avoided").order_by("-pk")


def avoids(player_id: int, other_ids: Sequence[int]) -> set[int]:
    """Ids of those of these players who are on the list. One query."""
    listed = Avoided.objects.filter(player=player_id, avoided__in=other_ids)
    return set(listed.values_list("avoided", flat=True))


def avoid_lists(user: User) -> list[AvoidList]:
    """The account's block lists, one for each of its players. Two queries."""
    players = Player.objects.filter(user=user).select_related("game").order_by("game__name")
    lists = {player.pk: AvoidList(player, []) for player in players}
    rows = Avoided.objects.filter(player__in=lists).select_related("avoided").order_by("-pk")
    for row in rows:
        lists[row.player_id].avoided.append(row)
    return list(lists.values())
