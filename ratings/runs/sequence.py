"""The ladder's sequence: in which order confirmed matches, events and dates count, and for which time."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.models import F

from foundation.postgresql.lease import hold_firmly
from foundation.postgresql.locks import Lock
from foundation.timekeeping import closing_time
from ratings.merging.meant import count_for_meant
from ratings.models import Ladder, Match, MatchLog, MatchState

__all__ = ["count_until", "ladders_with_waiting_matches", "sequence_confirmed"]

# In order of confirmation greatest(confirmed_at, counted_until) can only grow, so no match counts before the one
# ahead of it in the sequence.
_SEQUENCE = """
WITH waiting AS (
    SELECT id, confirmed_at, row_number() OVER (ORDER BY confirmed_at, id) AS number
    FROM ratings_match
    WHERE ladder_id = %(ladder)s AND state = 'confirmed' AND ladder_seq IS NULL AND rated
      AND (%(before)s::timestamptz IS NULL OR confirmed_at < %(before)s)
      -- What a server has told of it comes first.
      AND NOT EXISTS (SELECT FROM ratings_matchlog AS log
                      WHERE log.match_id = ratings_match.id AND log.complete_to > log.sequenced_to)
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

# By the log's number, so that the order does not depend on who has asked.
_SEQUENCE_EVENTS = """
WITH waiting AS (
    SELECT log.match_id AS log, log.sequenced_to + 1 AS first, log.complete_to AS last,
           row_number() OVER (ORDER BY log.match_id) AS number
    FROM ratings_matchlog AS log JOIN ratings_match AS match ON match.id = log.match_id
    WHERE match.ladder_id = %(ladder)s AND log.complete_to > log.sequenced_to
      AND (%(before)s::timestamptz IS NULL OR log.last_event_at < %(before)s)
), moved AS (
    UPDATE ratings_matchlog AS log SET sequenced_to = waiting.last
    FROM waiting WHERE log.match_id = waiting.log AND log.sequenced_to = waiting.first - 1
      AND log.complete_to >= waiting.last
    RETURNING log.match_id
), stretches AS (
    INSERT INTO ratings_logstretch (ladder_id, seq, log_id, first, last)
    SELECT %(ladder)s, ladder.last_seq + waiting.number, waiting.log, waiting.first, waiting.last
    FROM waiting JOIN moved ON moved.match_id = waiting.log
    JOIN ratings_ladder AS ladder ON ladder.id = %(ladder)s
    RETURNING seq
)
UPDATE ratings_ladder SET last_seq = greatest(last_seq, (SELECT max(seq) FROM stretches))
WHERE id = %(ladder)s AND EXISTS (SELECT FROM stretches)
"""

_PUT_DATE = """
WITH placed AS (
    UPDATE ratings_ladder
    SET last_seq = last_seq + 1, counted_until = greatest(counted_until, %(date)s), drift_next_at = %(next)s
    WHERE id = %(ladder)s
    RETURNING last_seq
)
INSERT INTO ratings_driftdate (ladder_id, seq, at) SELECT %(ladder)s, last_seq, %(date)s FROM placed
ON CONFLICT (ladder_id, at) DO NOTHING
"""


@transaction.atomic
def sequence_confirmed(ladder_id: int) -> int:
    """Give each rated match that waits the next number in the sequence of its ladder; returns how many there were.

    Before them the events that wait, those of each match one number together: a match that its server tells comes
    behind all of its events.

    A date on which time takes points from everybody, or gives them, has a number too, behind what was confirmed before
    it: each that is due, however late somebody looks.

    The order is that of confirmation. A match counts for the time of its confirmation, but never before a match
    ahead of it or within a period that may be closed already. Waits for the ladder's lock.
    """
    hold_firmly(Lock.LADDER, ladder_id)
    matches = 0
    for date, following in _due_dates(ladder_id):
        matches += _sequence(ladder_id, before=date)
        with connection.cursor() as cursor:
            cursor.execute(_PUT_DATE, {"ladder": ladder_id, "date": date, "next": following})
    return matches + _sequence(ladder_id, before=None)


def _due_dates(ladder_id: int) -> Iterator[tuple[datetime, datetime]]:
    """The dates that are due, oldest first, each with the one after it."""
    due, days = Ladder.objects.values_list("drift_next_at", "drift_days").get(pk=ladder_id)
    now = None if due is None else closing_time()
    while due is not None and now is not None and due <= now:
        following = due + timedelta(days=days)
        yield due, following
        due = following


def _sequence(ladder_id: int, *, before: datetime | None) -> int:
    """Sequence what was confirmed, or told, before a moment, or everything; how many matches there were."""
    given = {"ladder": ladder_id, "before": before}
    with connection.cursor() as cursor:
        cursor.execute(_SEQUENCE_EVENTS, given)
        cursor.execute(_SEQUENCE, given)
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
    """Ids of the ladders in which a confirmed match, an event, or a date that is due waits for its number."""
    waiting = Match.objects.filter(state=MatchState.CONFIRMED, ladder_seq__isnull=True, rated=True)
    events = MatchLog.objects.filter(complete_to__gt=F("sequenced_to"))
    ladders = {*waiting.order_by("ladder_id").values_list("ladder_id", flat=True).distinct()}
    dates = Ladder.objects.filter(drift_next_at__lte=closing_time())
    ladders |= {*dates.values_list("pk", flat=True)}
    ladders |= {*events.values_list("match__ladder_id", flat=True).distinct()}
    return sorted(ladders)
