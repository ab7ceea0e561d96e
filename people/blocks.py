"""Blocks: players who want nothing to do with each other.

It counts both ways, and the other is never told: whoever refuses something for a block says what is said for every
other reason (`people.refusals.NotOpenToThisError`). Who has two players together asks here first.
"""

from collections.abc import Collection

from django.db.models import Q, QuerySet

from foundation import clock
from foundation.postgresql.transactions import briefly
from people.held import hold
from people.models import Block, Follow
from people.refusals import TooManyTiesError
from people.ties import friendship_of
from people.told import tell_ended
from ratings.models import Player

__all__ = [
    "MOST",
    "among",
    "between",
    "block",
    "blocked_by",
    "hidden_among",
    "unblock",
    "with_any",
]

MOST = 500  # on one list


def block(*, player: Player, other: Player) -> bool:
    """Block a player; returns whether that is new. Ends friendship, requests and following, both ways.

    Raises TiesItselfError, OtherGameError, TooManyTiesError.
    """
    with briefly():
        player, other = hold(player, other)
        own = Block.objects.filter(player=player)
        if own.filter(blocked=other).exists():
            return False
        if own.count() >= MOST:
            raise TooManyTiesError(MOST)
        Block.objects.create(player=player, blocked=other, created_at=clock.now())
        Follow.objects.filter(_follows_between(player.pk, other.pk)).delete()
        for row in friendship_of(player.pk, other.pk).select_related("low", "high"):
            tell_ended(row)
            row.delete()
    return True


def unblock(*, player: Player, other_id: int) -> bool:
    """Take a block back; returns whether there was one. What it ended stays ended."""
    return bool(Block.objects.filter(player=player, blocked=other_id).delete()[0])


def blocked_by(player_id: int) -> QuerySet[Block]:
    """The own list of a player, the latest first, with the players on it."""
    return Block.objects.filter(player=player_id).select_related("blocked").order_by("-pk")


def between(one: int, other: int) -> bool:
    """Whether one of two players blocks the other. One query."""
    return bool(with_any(one, [other]))


def with_any(player_id: int, other_ids: Collection[int]) -> set[int]:
    """Those of these players with whom the player is in a block, either way. One query."""
    mine = Q(player=player_id, blocked__in=other_ids) | Q(blocked=player_id, player__in=other_ids)
    found = Block.objects.filter(mine).values_list("player", "blocked")
    return {blocked if one == player_id else one for one, blocked in found}


def among(player_ids: Collection[int]) -> set[frozenset[int]]:
    """Every two of these players of whom one blocks the other. One query."""
    found = Block.objects.filter(player__in=player_ids, blocked__in=player_ids)
    return {frozenset(two) for two in found.values_list("player", "blocked")}


def hidden_among(named: Collection[tuple[int, int]]) -> set[tuple[int, int]]:
    """Those of these pairs, who reads and who is named, that a block is between. One query."""
    between_them = among({pk for pair in named for pk in pair})
    return {pair for pair in named if frozenset(pair) in between_them}


def _follows_between(one: int, other: int) -> Q:
    return Q(player=one, followed=other) | Q(player=other, followed=one)
