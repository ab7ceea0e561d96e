"""Boards without the players whom operators have hidden, or merged into others: these have no standing, and so count
for nobody's rank.
"""

from django.db import connection, transaction

from foundation import clock
from foundation.postgresql.lease import hold_firmly
from foundation.postgresql.locks import Lock
from foundation.postgresql.transactions import after_commit
from foundation.timekeeping import closing_time
from foundation.wakeups import wake
from leaderboards.boards.listing import rule_of
from leaderboards.boards.refresh import broadcast_board
from leaderboards.boards.write import apply_ratings_of, leave_out
from leaderboards.models import Board
from ratings.merging.merge import Followed
from ratings.models import Sanction, SanctionKind
from ratings.sanctions import HIDDEN_NOW

__all__ = ["follow", "follow_merge", "follow_sanctions"]

# Who should have a standing and has none, or the other way round, on boards that have followed their ratings.
_DIFFERS = f"""
SELECT DISTINCT board.track_id, rating.player_id
FROM (
    SELECT sanction.player_id FROM ratings_sanction AS sanction WHERE sanction.kind = 'hidden'
    UNION
    SELECT merged_id FROM ratings_playermerge
) AS concerned
JOIN ratings_player AS player ON player.id = concerned.player_id
JOIN ratings_rating AS rating ON rating.player_id = player.id
JOIN leaderboards_board AS board ON board.track_id = rating.track_id AND board.revision >= rating.revision
LEFT JOIN leaderboards_standing AS standing ON standing.rating_id = rating.id
WHERE (standing.rating_id IS NOT NULL) = (player.merged_into_id IS NOT NULL OR EXISTS (
    SELECT FROM ratings_sanction AS sanction WHERE sanction.player_id = rating.player_id AND {HIDDEN_NOW}
))
ORDER BY board.track_id
"""  # noqa: S608 - constants


def follow(sanction: Sanction) -> None:
    """Have boards follow at once."""
    if sanction.kind == SanctionKind.HIDDEN:
        wake("leaderboards.flip_due_standings")


def follow_merge(followed: Followed) -> None:
    """Have boards follow at once."""
    after_commit(wake, "leaderboards.flip_due_standings")


def follow_sanctions() -> int:
    """Take the hidden and the merged from the boards, and let in again those for whom that is over; returns how many
    boards changed.
    """
    return sum(_follow_on(track_id) for track_id in sorted({track for track, _ in _differing()}))


def _differing() -> list[tuple[int, int]]:
    with connection.cursor() as cursor:
        cursor.execute(_DIFFERS, {"at": clock.replaced()})
        return list(cursor.fetchall())


@transaction.atomic
def _follow_on(track_id: int) -> int:
    hold_firmly(Lock.BOARD, track_id)
    board = Board.objects.select_related("track__ladder").filter(pk=track_id).first()
    players = [player for track, player in _differing() if track == track_id]
    if board is None or not players:
        return 0
    leave_out(board)
    apply_ratings_of(board, rule_of(board.track), players, now=closing_time())
    board.updated_at = clock.now()  # by which pages know that it is another
    board.save(update_fields=["updated_at"])
    broadcast_board(board.track.ladder)
    return 1
