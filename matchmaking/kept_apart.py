"""Who is kept apart: two players of whom one blocks the other, or has it on the avoid list. Neither is told.

What brings players together (drawn groups, alerts, sweeps) asks here, and so do rooms, which players choose themselves.
Whether one player may turn to another is asked in `people.may`.
"""

from collections.abc import Collection

from django.db.models import Q

from matchmaking.models import Avoided
from people.models import Block

__all__ = ["ARE_ANY", "NOT_APART", "away_from", "keep_away", "kept_apart", "kept_out_by"]

# In SQL: whether anybody blocks or avoids anybody at all.
ARE_ANY = "(EXISTS (SELECT FROM matchmaking_avoided) OR EXISTS (SELECT FROM people_block))"
# In SQL: whether `player` and none of the array `others` are kept apart. Four look-ups by index.
NOT_APART = """(
    (SELECT 1 FROM people_block AS list WHERE list.player_id = {player}
     AND list.blocked_id = ANY({others}) LIMIT 1) IS NULL
    AND (SELECT 1 FROM people_block AS list WHERE list.blocked_id = {player}
         AND list.player_id = ANY({others}) LIMIT 1) IS NULL
    AND (SELECT 1 FROM matchmaking_avoided AS list WHERE list.player_id = {player}
         AND list.avoided_id = ANY({others}) LIMIT 1) IS NULL
    AND (SELECT 1 FROM matchmaking_avoided AS list WHERE list.avoided_id = {player}
         AND list.player_id = ANY({others}) LIMIT 1) IS NULL
)"""


def away_from(player: str) -> str:
    """In SQL: whom this player keeps away from, as `other`."""
    return (
        f"SELECT avoided_id AS other FROM matchmaking_avoided WHERE player_id = {player}"  # noqa: S608 - a column
        f" UNION SELECT blocked_id FROM people_block WHERE player_id = {player}"
    )


def kept_apart(some: Collection[int], others: Collection[int]) -> set[tuple[int, int]]:
    """Pairs of one of each who are kept apart, either way round, in both orders. Two queries."""
    avoided = Avoided.objects.filter(
        Q(player__in=some, avoided__in=others) | Q(player__in=others, avoided__in=some)
    )
    blocked = Block.objects.filter(
        Q(player__in=some, blocked__in=others) | Q(player__in=others, blocked__in=some)
    )
    pairs = {*avoided.values_list("player", "avoided"), *blocked.values_list("player", "blocked")}
    return pairs | {(other, one) for one, other in pairs}


def keep_away(some: Collection[int], others: Collection[int]) -> bool:
    """Whether one of the first blocks or avoids one of the others: of both, what the first may be told. Two queries."""
    return (
        Avoided.objects.filter(player__in=some, avoided__in=others).exists()
        or Block.objects.filter(player__in=some, blocked__in=others).exists()
    )


def kept_out_by(
    coming: Collection[int], here: Collection[int], *, asking: int
) -> set[tuple[int, int]]:
    """Pairs of one who comes and one who is here, of whom the first does not come to the second: one blocks the other,
    or the first is `asking`, who comes and may bring others, and avoids the second. Two queries.

    Whom those avoid who are here, or are brought, is not asked: the refusal would tell of lists that only their owners
    see.
    """
    avoided = Avoided.objects.filter(player__in={asking} & {*coming}, avoided__in=here)
    blocked = Block.objects.filter(
        Q(player__in=coming, blocked__in=here) | Q(player__in=here, blocked__in=coming)
    )
    pairs = {*avoided.values_list("player", "avoided"), *blocked.values_list("player", "blocked")}
    either = pairs | {(other, one) for one, other in pairs}
    return {(one, other) for one, other in either if one in coming and other in here}
