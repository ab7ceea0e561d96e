"""What operators have lately made of an account's players: merged, unmerged, renamed, moved: told for a while."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from foundation import clock
from foundation.postgresql.prepared import prepared

__all__ = ["ARE_CHANGED", "TOLD_FOR", "OperatorsChange", "changes_by_operators"]

TOLD_FOR = timedelta(days=14)
# A merge is told to both accounts, and so is a move, where the player has not been moved on. A name that its owner has
# given in the admin, or the game, is no operator's.
_CHANGES = """
SELECT CASE WHEN merge.undone_at IS NULL THEN 'merged' ELSE 'unmerged' END,
       coalesce(merge.undone_at, merge.at) AS at, merged.name, other.name, game.name, game.appeals_to,
       merge.account_id IS NOT DISTINCT FROM %(user)s::bigint, merge.account_came_along
FROM (
    SELECT id FROM ratings_playermerge WHERE account_id = %(user)s::bigint
    UNION
    SELECT received.id FROM ratings_player AS own JOIN ratings_playermerge AS received ON received.into_id = own.id
    WHERE own.user_id = %(user)s::bigint
) AS concerned
JOIN ratings_playermerge AS merge ON merge.id = concerned.id
JOIN ratings_player AS merged ON merged.id = merge.merged_id
JOIN ratings_player AS other ON other.id = merge.into_id
JOIN ratings_game AS game ON game.id = other.game_id
WHERE coalesce(merge.undone_at, merge.at) > coalesce(%(at)s::timestamptz, now()) - %(told_for)s::interval
UNION ALL
SELECT 'renamed', entry.at, entry.before ->> 'name', entry.after ->> 'name', game.name, game.appeals_to,
       true, false
FROM ratings_player AS player
JOIN ratings_game AS game ON game.id = player.game_id
JOIN accounts_auditentry AS entry ON entry.target_type = 'ratings.player' AND entry.target_id = player.id::text
WHERE player.user_id = %(user)s::bigint AND entry.action = 'player.changed'
  AND entry.before ->> 'name' <> entry.after ->> 'name' AND entry.actor_id IS DISTINCT FROM %(user)s::bigint
  AND entry.at > coalesce(%(at)s::timestamptz, now()) - %(told_for)s::interval
UNION ALL
SELECT 'moved', entry.at, player.name, '', game.name, game.appeals_to,
       coalesce(entry.before ->> 'user', '') = %(user)s::bigint::text, player.user_id = %(user)s::bigint
FROM accounts_auditentry AS entry
JOIN ratings_player AS player ON player.id = entry.target_id::bigint
JOIN ratings_game AS game ON game.id = player.game_id
WHERE entry.action = 'player.moved' AND entry.at > coalesce(%(at)s::timestamptz, now()) - %(told_for)s::interval
  AND (entry.before ->> 'user' = %(user)s::bigint::text
       OR entry.after ->> 'user' = %(user)s::bigint::text AND player.user_id = %(user)s::bigint)
"""
# A condition for a statement that reads of an account anyway, as most are told of nothing. It takes the values
# %(user)s, %(at)s (clock.replaced()) and %(told_for)s.
ARE_CHANGED = f"EXISTS ({_CHANGES})"


@dataclass(frozen=True, slots=True)
class OperatorsChange:
    """One change, as the account is told of it.

    what         `merged`, `unmerged`, `renamed`, or `moved` to or from another account
    name, other  of the merged player and of the one it counts for; or the name before and after; or the name alone
    appeals_to   where to ask about it, if the game has said
    is_own       the merged or moved player was the account's; else the other one is, or it was another's
    came_along   the account has the other player now
    """

    what: str
    at: datetime
    name: str
    other: str
    game: str
    appeals_to: str
    is_own: bool
    came_along: bool


def changes_by_operators(account: int) -> Sequence[OperatorsChange]:
    """What is told to an account now, the newest first. One query."""
    given: dict[str, Any] = {"user": account, "at": clock.replaced(), "told_for": TOLD_FOR}
    with prepared() as cursor:
        cursor.execute(f"{_CHANGES} ORDER BY 2 DESC", given)
        return [OperatorsChange(*row) for row in cursor.fetchall()]
