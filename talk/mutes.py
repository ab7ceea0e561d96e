"""Muting: a player whose lines one does not want to read. Nobody but the owner of the list sees it."""

from django.db.models import QuerySet

from foundation import clock
from foundation.postgresql.transactions import briefly
from matchmaking.refusals import WrongGameError
from ratings.merging.merge import Followed
from ratings.models import Player
from talk.models import Muted
from talk.refusals import MutesItselfError, MutesTooManyError

__all__ = ["MOST", "follow_merge", "mute", "muted_by", "unmute"]

MOST = 200  # on one list


def mute(*, player: Player, other: Player) -> bool:
    """Hear a player no more; returns whether that is new. The same again changes nothing.

    Raises MutesItselfError, WrongGameError, MutesTooManyError.
    """
    if player.pk == other.pk:
        raise MutesItselfError
    if player.game_id != other.game_id:
        raise WrongGameError(other.pk)
    with briefly():
        # Two at once wait for each other here, so that the list does not grow past its end.
        Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        own = Muted.objects.filter(player=player)
        if own.filter(muted=other).exists():
            return False
        if own.count() >= MOST:
            raise MutesTooManyError(MOST)
        Muted.objects.create(player=player, muted=other, created_at=clock.now())
    return True


def unmute(*, player: Player, other_id: int) -> bool:
    """Hear a player again; returns whether the player was muted."""
    return bool(Muted.objects.filter(player=player, muted=other_id).delete()[0])


def muted_by(player_id: int) -> QuerySet[Muted]:
    """The entries of a player's list, the latest first, with the players on it."""
    return Muted.objects.filter(player=player_id).select_related("muted").order_by("-pk")


def follow_merge(followed: Followed) -> None:
    """Let a merged player's list hold for the one it counts for, and who has muted the one mute the other too."""
    if followed.is_undone:
        return
    player, into = followed.merge.merged_id, followed.merge.into_id
    now = clock.now()
    own = Muted.objects.filter(player=player).exclude(muted=into).values_list("muted", flat=True)
    others = Muted.objects.filter(muted=player).exclude(player=into)
    entries = [Muted(player_id=into, muted_id=pk, created_at=now) for pk in own]
    entries += [
        Muted(player_id=pk, muted_id=into, created_at=now)
        for pk in others.values_list("player", flat=True)
    ]
    Muted.objects.bulk_create(entries, ignore_conflicts=True)
