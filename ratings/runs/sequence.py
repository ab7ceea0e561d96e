"""The ladder's sequence: in which order confirmed matches count, and for which time."""

from datetime import datetime

from django.db import connection, transaction

from foundation.postgresql.lease import hold_firmly
from foundation.postgresql.locks import Lock
from ratings.merging.meant import count_for_meant
from ratings.models import Ladder, Match, MatchState

__all__ = ["count_until", "ladders_with_waiting_matches", "sequence_confirmed"]

# In order of confirmation greatest(confirmed_at, counted_until) can only grow, so no match counts before the one
# ahead of it in the sequence.
_SEQUENCE = """
WITH waiting AS (
    SELECT id, confirmed_at, row_number() OVER (ORDER BY confirmed_at, id) AS number
    FROM ratings_match
    WHERE ladder_id = %(ladder)s AND state = 'confirmed' AND ladder_seq IS NULL AND rated
), sequenced AS (
    UPDATE ratings_match AS match
    SET ladder_seq = ladder.last_seq + waiting.number,
        counts_at = greatest(waiting.confirmed_at, ladder.counted_until)
    FROM waiting, ratings_ladder AS ladder
    WHERE ladder.id = %(ladder)s AND match.id = waiting.id
    RETURNING match.counts_at
), total AS (
    SELECT count(*) AS matches, max(counts_at) AS latest FROM sequenced
)
UPDATE ratings_ladder
SET last_seq = last_seq + total.matches, counted_until = greatest(counted_until, total.latest)
FROM total
WHERE id = %(ladder)s AND total.matches > 0
RETURNING total.matches, last_seq
"""


@transaction.atomic
def sequence_confirmed(ladder_id: int) -> int:
    """Give each rated match that waits the next number in the sequence of its ladder; returns how many there were.

    The order is that of confirmation. A match counts for the time of its confirmation, but never before a match
    ahead of it or within a period that may be closed already. Waits for the ladder's lock.
    """
    hold_firmly(Lock.LADDER, ladder_id)
    with connection.cursor() as cursor:
        cursor.execute(_SEQUENCE, {"ladder": ladder_id})
        row: tuple[int, int] | None = cursor.fetchone()
    if row is None:
        return 0
    matches, last = row
    count_for_meant(ladder_id=ladder_id, after=last - matches)
    return matches


def count_until(*, ladder_id: int, moment: datetime) -> None:
    """Let no further match of the ladder count for a time before `moment`. Call under the ladder's lock."""
    Ladder.objects.filter(pk=ladder_id).exclude(counted_until__gte=moment).update(
        counted_until=moment
    )


def ladders_with_waiting_matches() -> list[int]:
    """Ids of the ladders in which a confirmed match waits for its number."""
    waiting = Match.objects.filter(state=MatchState.CONFIRMED, ladder_seq__isnull=True, rated=True)
    return list(waiting.order_by("ladder_id").values_list("ladder_id", flat=True).distinct())
