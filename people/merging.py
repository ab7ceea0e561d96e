"""What a merge of two players means for their friends, follows and blocks."""

from collections.abc import Iterable

from django.db.models import Q

from people.models import Block, Follow, Friendship
from people.ties import of_player
from ratings.merging.merge import Followed

__all__ = ["follow_merge"]


def follow_merge(followed: Followed) -> None:
    """Let all of a merged player's hold for the one it counts for, too; nobody escapes a block by it.

    When the merge is undone, the player's own rows are where they were, and what came along stays.
    """
    if followed.is_undone:
        return
    player, into = followed.merge.merged_id, followed.merge.into_id
    Block.objects.bulk_create(
        [
            Block(
                player_id=into if one == player else one, blocked_id=into if two == player else two
            )
            for one, two in _others(Block, "blocked", player, into)
        ],
        ignore_conflicts=True,
    )
    parted = {
        other
        for two in Block.objects.filter(Q(player=into) | Q(blocked=into)).values_list(
            "player", "blocked"
        )
        for other in two
    } - {into}
    Follow.objects.bulk_create(
        [
            Follow(
                player_id=into if one == player else one, followed_id=into if two == player else two
            )
            for one, two in _others(Follow, "followed", player, into)
            if not parted & {one, two}
        ],
        ignore_conflicts=True,
    )
    _befriend(player, into, parted)
    Follow.objects.filter(
        Q(player=into, followed__in=parted) | Q(followed=into, player__in=parted)
    ).delete()
    Friendship.objects.filter(Q(low=into, high__in=parted) | Q(high=into, low__in=parted)).delete()


def _others(
    model: type[Block] | type[Follow], column: str, player: int, into: int
) -> Iterable[tuple[int, int]]:
    """Pairs of which the merged player is one, but not with the one it counts for."""
    rows = model._default_manager.filter(Q(player=player) | Q(**{column: player}))
    return [two for two in rows.values_list("player", column) if into not in two]


def _befriend(player: int, into: int, parted: set[int]) -> None:
    """Agreed friendships come along; requests do not: whoever asked can ask again."""
    friends = Friendship.objects.filter(of_player(player), agreed_at__isnull=False)
    others = {
        (row.high_id if row.low_id == player else row.low_id): row.agreed_at for row in friends
    }
    wanted = {pk: since for pk, since in others.items() if pk != into and pk not in parted}
    known = Friendship.objects.filter(of_player(into))
    for row in known:
        other = row.high_id if row.low_id == into else row.low_id
        since = wanted.pop(other, None)
        if since is not None and row.agreed_at is None:
            row.agreed_at = since
            row.save(update_fields=["agreed_at"])
    Friendship.objects.bulk_create(
        [
            Friendship(
                low_id=min(into, other),
                high_id=max(into, other),
                by_low=into < other,
                agreed_at=since,
            )
            for other, since in wanted.items()
        ],
        ignore_conflicts=True,
    )
