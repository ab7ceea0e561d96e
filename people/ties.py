"""Friends and those one follows: reading."""

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from foundation.postgresql.prepared import prepared
from people.models import Follow, Friendship
from ratings.models import Player

__all__ = [
    "IS_BLOCKED",
    "IS_KNOWN",
    "Friend",
    "Relation",
    "followed_by",
    "friend_ids",
    "friends_among",
    "friends_of",
    "friendship_of",
    "relation",
]

_RELATION = """
SELECT EXISTS (SELECT FROM people_follow WHERE player_id = %(player)s AND followed_id = %(other)s),
       EXISTS (SELECT FROM people_block WHERE player_id = %(player)s AND blocked_id = %(other)s),
       CASE WHEN friendship.id IS NOT NULL THEN friendship.agreed_at IS NOT NULL END,
       friendship.by_low
FROM (SELECT) AS always
LEFT JOIN people_friendship AS friendship ON friendship.low_id = %(low)s AND friendship.high_id = %(high)s
"""

# In SQL, of a `receiver` and a `sender`: whether the one follows the other or they are friends; whether it blocks it.
IS_KNOWN = """(
    EXISTS (SELECT FROM people_follow AS tie WHERE tie.player_id = {receiver} AND tie.followed_id = {sender})
    OR EXISTS (
        SELECT FROM people_friendship AS tie WHERE tie.low_id = least({receiver}, {sender})
        AND tie.high_id = greatest({receiver}, {sender}) AND tie.agreed_at IS NOT NULL
    )
)"""
IS_BLOCKED = (
    "EXISTS (SELECT FROM people_block AS tie"
    " WHERE tie.player_id = {receiver} AND tie.blocked_id = {sender})"
)


@dataclass(frozen=True, slots=True)
class Friend:
    """A friendship, or a request, as one of the two sees it.

    other    the other player
    is_mine  whether the one who reads has asked
    """

    pk: int
    other: Player
    is_mine: bool
    row: Friendship


@dataclass(frozen=True, slots=True)
class Relation:
    """What a player has to do with another: what its buttons are on that one's page."""

    follows: bool = False
    blocks: bool = False
    is_friend: bool = False
    has_asked: bool = False
    is_asked: bool = False


def friendship_of(one: int, other: int) -> QuerySet[Friendship]:
    """The row of two players; none where there is none."""
    return Friendship.objects.filter(low=min(one, other), high=max(one, other))


def of_player(player_id: int) -> Q:
    """Friendships and requests of a player."""
    return Q(low=player_id) | Q(high=player_id)


def rows_of(player_id: int) -> QuerySet[Friendship]:
    """Friendships and requests of a player with both players, the latest first; of nobody who counts for another."""
    rows = Friendship.objects.filter(
        of_player(player_id), low__merged_into=None, high__merged_into=None
    )
    return rows.select_related("low", "high").order_by("-pk")


def as_seen_by(player_id: int, row: Friendship) -> Friend:
    """The row from one side."""
    is_low = row.low_id == player_id
    return Friend(row.pk, row.high if is_low else row.low, row.by_low == is_low, row)


def friends_of(player_id: int) -> list[Friend]:
    """Friends and requests of a player, the latest first. One query."""
    return [as_seen_by(player_id, row) for row in rows_of(player_id)]


def friend_ids(player_id: int) -> set[int]:
    """Ids of a player's friends. One query."""
    rows = rows_of(player_id).filter(agreed_at__isnull=False).values_list("low", "high")
    return {high if low == player_id else low for low, high in rows}


def friends_among(player_id: int, other_ids: Collection[int]) -> set[int]:
    """Those of these players who are friends of the player. One query."""
    agreed = Friendship.objects.filter(
        Q(low=player_id, high__in=other_ids) | Q(high=player_id, low__in=other_ids),
        agreed_at__isnull=False,
    )
    return {high if low == player_id else low for low, high in agreed.values_list("low", "high")}


def followed_by(player_id: int) -> QuerySet[Follow]:
    """Whom a player follows, the latest first, with the players."""
    rows = Follow.objects.filter(player=player_id, followed__merged_into=None)
    return rows.select_related("followed").order_by("-pk")


def relation(player_id: int, other_id: int) -> Relation:
    """What the player has to do with another, as far as the player may know. One query."""
    with prepared() as cursor:
        given = {
            "player": player_id,
            "other": other_id,
            "low": min(player_id, other_id),
            "high": max(player_id, other_id),
        }
        cursor.execute(_RELATION, given)
        follows, blocks, has_agreed, by_low = cursor.fetchone()
    is_mine = by_low == (player_id < other_id)
    is_open = has_agreed is False
    return Relation(
        follows=follows,
        blocks=blocks,
        is_friend=has_agreed is True,
        has_asked=is_open and is_mine,
        is_asked=is_open and not is_mine,
    )
