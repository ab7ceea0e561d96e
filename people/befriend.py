"""Asking to be friends, agreeing, and ending it; following."""

from events.kinds import Kind
from foundation import clock
from foundation.postgresql.transactions import briefly
from notifications import tell as notices
from people.held import hold
from people.may import may_ask
from people.models import Follow, Friendship
from people.refusals import NotOpenToThisError, TooManyTiesError
from people.ties import friendship_of, of_player
from people.told import about, tell, tell_ended
from ratings.models import Player

__all__ = ["MOST_ASKED", "MOST_FOLLOWED", "MOST_FRIENDS", "befriend", "follow", "part", "unfollow"]

MOST_FRIENDS = 500
MOST_ASKED = 50  # requests of one player that wait for an answer
MOST_FOLLOWED = 500


def befriend(*, player: Player, other: Player) -> Friendship:
    """Ask to be friends, or agree where the other has asked. The same again changes nothing.

    Raises TiesItselfError, OtherGameError, NotOpenToThisError, TooManyTiesError.
    """
    with briefly() as now:
        player, other = hold(player, other)
        row = friendship_of(player.pk, other.pk).first()
        is_low = player.pk < other.pk
        if row is not None and (row.agreed_at is not None or row.by_low == is_low):
            return row
        _refuse_full(player)
        if row is not None:
            _refuse_full_of(other)
            row.agreed_at = now
            row.save(update_fields=["agreed_at"])
            tell(Kind.FRIEND_AGREED, player, other)
            notices.tell("friend.agreed", [other.pk], about=about(row), data={"by": player.pk})
            notices.take_back("friend.asked", about(row))
            return row
        if not may_ask(player.pk, other.pk):
            raise NotOpenToThisError(other.pk)
        _refuse_many_asked(player)
        low, high = (player, other) if is_low else (other, player)
        made = Friendship.objects.create(low=low, high=high, by_low=is_low, asked_at=now)
        tell(Kind.FRIEND_ASKED, player, other)
        notices.tell("friend.asked", [other.pk], about=about(made), data={"by": player.pk})
    return made


def part(*, player: Player, other_id: int) -> bool:
    """End a friendship, withdraw a request or turn one down; returns whether there was one."""
    with briefly():
        row = friendship_of(player.pk, other_id).select_for_update(of=("self",)).first()
        if row is None:
            return False
        row = Friendship.objects.select_related("low", "high").get(pk=row.pk)
        tell_ended(row)
        row.delete()
    return True


def follow(*, player: Player, other: Player) -> bool:
    """Follow a player; returns whether that is new.

    Raises TiesItselfError, OtherGameError, NotOpenToThisError, TooManyTiesError.
    """
    with briefly():
        player, other = hold(player, other)
        own = Follow.objects.filter(player=player)
        if own.filter(followed=other).exists():
            return False
        if not may_ask(player.pk, other.pk):
            raise NotOpenToThisError(other.pk)
        if own.count() >= MOST_FOLLOWED:
            raise TooManyTiesError(MOST_FOLLOWED)
        Follow.objects.create(player=player, followed=other, created_at=clock.now())
    return True


def unfollow(*, player: Player, other_id: int) -> bool:
    """Follow a player no longer; returns whether it was followed."""
    return bool(Follow.objects.filter(player=player, followed=other_id).delete()[0])


def _agreed(player: Player) -> int:
    return Friendship.objects.filter(of_player(player.pk), agreed_at__isnull=False).count()


def _refuse_full(player: Player) -> None:
    if _agreed(player) >= MOST_FRIENDS:
        raise TooManyTiesError(MOST_FRIENDS)


def _refuse_full_of(other: Player) -> None:
    """The other's list is full since it has asked: how long it is, is nobody else's matter."""
    if _agreed(other) >= MOST_FRIENDS:
        raise NotOpenToThisError(other.pk)


def _refuse_many_asked(player: Player) -> None:
    waiting = Friendship.objects.filter(of_player(player.pk), agreed_at=None)
    mine = [row for row in waiting if row.by_low == (row.low_id == player.pk)]
    if len(mine) >= MOST_ASKED:
        raise TooManyTiesError(MOST_ASKED)
