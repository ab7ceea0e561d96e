"""Avoid lists. Nobody but the owner sees a list, nor learns to be on one."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from accounts.models import User
from foundation import clock
from foundation.postgresql.transactions import briefly
from matchmaking.models import Avoided
from matchmaking.refusals import AvoidsItselfError, AvoidsTooManyError, WrongGameError
from ratings.merging.merge import Followed
from ratings.models import Player

__all__ = [
    "MOST",
    "avoid",
    "avoid_lists",
    "avoided_among",
    "avoided_by",
    "avoids",
    "follow_merge",
    "stop_avoiding",
]

MOST = 100  # on one list


@dataclass(frozen=True, slots=True)
class AvoidList:
    """The avoid list of a player of the account, the latest entry first."""

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


def avoided_among(pairs: Collection[tuple[int, int]]) -> set[tuple[int, int]]:
    """Those of these pairs of players of whom the first avoids the second. One query."""
    listed = Avoided.objects.filter(
        player__in={reader for reader, _ in pairs}, avoided__in={named for _, named in pairs}
    )
    return set(listed.values_list("player", "avoided")) & set(pairs)


def avoid_lists(user: User) -> list[AvoidList]:
    """The account's avoid lists, one for each of its players. Two queries."""
    players = Player.objects.filter(user=user).select_related("game").order_by("game__name")
    lists = {player.pk: AvoidList(player, []) for player in players}
    rows = Avoided.objects.filter(player__in=lists).select_related("avoided").order_by("-pk")
    for row in rows:
        lists[row.player_id].avoided.append(row)
    return list(lists.values())


def follow_merge(followed: Followed) -> None:
    """Let a merged player's list hold for the one it counts for, and who avoids the one avoid the other too.

    Two who are one person cannot escape a list by that. When the merge is undone, the player's own entries are where
    they were, and what came along stays: its owner may have come to rely on it.
    """
    if followed.is_undone:
        return
    player, into = followed.merge.merged_id, followed.merge.into_id
    own = Avoided.objects.filter(player=player).exclude(avoided=into)
    others = Avoided.objects.filter(avoided=player).exclude(player=into)
    now = clock.now()
    entries = [
        Avoided(player_id=into, avoided_id=pk) for pk in own.values_list("avoided", flat=True)
    ]
    entries += [
        Avoided(player_id=pk, avoided_id=into) for pk in others.values_list("player", flat=True)
    ]
    for entry in entries:
        entry.created_at = now
    Avoided.objects.bulk_create(entries, ignore_conflicts=True)
