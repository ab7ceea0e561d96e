"""How long a search takes, from those that found a match lately."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import connection

from foundation import clock

__all__ = ["LEAST", "MOST", "WITHIN", "Estimate", "estimate", "estimates"]

# What is called lately: the last so many searches, none older than a day; with fewer than `LEAST` nothing is said.
LEAST = 10
MOST = 200
WITHIN = timedelta(days=1)

_ESTIMATES = """
SELECT queue.id, count(lately.wait), percentile_cont(ARRAY[0.5, 0.9]) WITHIN GROUP (ORDER BY lately.wait)
FROM unnest(%(queues)s::bigint[]) AS queue (id) LEFT JOIN LATERAL (
    SELECT extract(epoch FROM ended_at - waiting_since)::float8 AS wait FROM matchmaking_ticket
    WHERE queue_id = queue.id AND state = 'matched' AND ended_at >= %(since)s
    ORDER BY ended_at DESC LIMIT %(most)s
) AS lately ON true
GROUP BY queue.id
"""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Seconds from joining to the match: half of the searches were shorter than `median`, nine in ten than `p90`.

    Both are None where too few searches are known; `searches` says how many went in.
    """

    median: float | None
    p90: float | None
    searches: int


def estimate(queue_id: int) -> Estimate:
    """Estimate the wait in a queue."""
    return estimates([queue_id])[queue_id]


def estimates(queue_ids: Iterable[int]) -> dict[int, Estimate]:
    """Estimate the wait in each queue. One query."""
    given: dict[str, Any] = {"queues": list(queue_ids), "since": clock.now() - WITHIN, "most": MOST}
    with connection.cursor() as cursor:
        cursor.execute(_ESTIMATES, given)
        return {pk: _estimate(number, waits) for pk, number, waits in cursor.fetchall()}


def _estimate(searches: int, waits: list[float]) -> Estimate:
    if searches < LEAST:
        return Estimate(None, None, searches)
    median, p90 = waits
    return Estimate(median, p90, searches)
