"""Who came to a queue lately, as the simulator wants to know it."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
from django.db import connection

from foundation import clock
from matchmaking.models import Queue
from matchmaking.preview.simulation import Population
from matchmaking.sweep.pairing_context import PairingContext

__all__ = ["FASTEST", "LEAST", "MOST", "SLOWEST", "population_of"]

# The newest so many tickets, none older than a day; of fewer than `LEAST` nothing is concluded.
LEAST, MOST = 20, 2000
_DAY, _HOUR = 86_400.0, 3600.0
_MOST_GROUPS = 20
# Tickets a second.
SLOWEST, FASTEST = 0.01, 100.0

# Ratings are looked up ticket by ticket: there are few, and how many wait changes faster than any statistics.
_NEWEST = """
WITH newest AS MATERIALIZED (
    SELECT id, waiting_since, wishes FROM matchmaking_ticket WHERE queue_id = %(queue)s ORDER BY id DESC LIMIT %(most)s
)
SELECT extract(epoch FROM newest.waiting_since)::float8, players.number, players.rating, players.deviation,
    ARRAY(SELECT jsonb_array_elements_text(newest.wishes -> 'languages')),
    ARRAY(SELECT jsonb_object_keys(newest.wishes -> 'regions'))
FROM newest CROSS JOIN LATERAL (
    SELECT count(*) AS number, avg(rating.value) AS rating, avg(rating.deviation) AS deviation
    FROM matchmaking_ticketmember AS member LEFT JOIN LATERAL (
        SELECT value, deviation FROM ratings_rating WHERE player_id = member.player_id AND track_id + 0 = %(track)s
    ) AS rating ON true
    WHERE member.ticket_id = newest.id
) AS players
WHERE newest.waiting_since >= to_timestamp(%(since)s)
"""


def population_of(queue: Queue) -> Population:
    """Describe who came in the last day, by the newest tickets; one ticket a second where too few came.

    Arrivals are those of the busiest hour among them: settings matter when the queue is used.
    """
    context, now = PairingContext.of(queue), clock.now().timestamp()
    given: dict[str, Any] = {
        "queue": queue.pk,
        "track": context.track.pk if context.track else 0,
        "since": now - _DAY,
        "most": MOST,
    }
    with connection.cursor() as cursor:
        cursor.execute(_NEWEST, given)
        rows = cursor.fetchall()
    if len(rows) < LEAST:
        return Population()
    came, sizes, ratings, deviations, languages, regions = zip(*rows, strict=True)
    # All of them may have come within less than an hour.
    at = np.array(came, dtype=np.float64)
    by_hour = np.bincount(((now - at) // _HOUR).astype(np.int64).clip(0))
    per_second = by_hour.max() / min(max(now - float(at.min()), 1.0), _HOUR)
    found: dict[str, Any] = {"arrivals": float(min(max(per_second, SLOWEST), FASTEST))}
    known = np.array([value for value in ratings if value is not None], dtype=np.float64)
    if known.size >= LEAST:
        found.update(rating=float(known.mean()), spread=float(known.std()))
    sure = np.array([value for value in deviations if value is not None], dtype=np.float64)
    if sure.size:
        found["deviation"] = float(sure.mean())
    # Whoever names no language counts only where others do.
    if shares := _shares(languages):
        unnamed = sum(not names for names in languages) / len(languages)
        found.update(languages=shares, no_language=unnamed)
    parties = Counter(min(max(size, 1), context.plan.team_size) for size in sizes)
    return Population(
        **found,
        regions=_shares(regions),
        parties=tuple(float(parties[size]) for size in range(1, max(parties) + 1)),
    )


def _shares(named: Iterable[Any]) -> tuple[float, ...]:
    """How often each name comes first, the most frequent ones; nothing where nobody names any."""
    counts = Counter(names[0] for names in named if names)
    return tuple(float(count) for _name, count in counts.most_common(_MOST_GROUPS))
