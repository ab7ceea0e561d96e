"""How long players of queues waited for their matches, and how even these were: by queue and by strategy."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import connection

from foundation import clock

__all__ = ["MOST", "SPANS", "Quality", "QueueQuality", "qualities"]

SPANS = {"hour": timedelta(hours=1), "day": timedelta(days=1), "week": timedelta(days=7)}
# Of a queue with more offers than this, only one in so many is looked at, spread over the whole time.
MOST = 10_000
# Offers of all queues together that are gone through, the newest: a page waits for it, about two seconds for so many.
AMONG = 1_000_000

# Both the count and the choice of offers are read from the index alone; rows are fetched of the chosen ones only.
_QUALITIES = """
WITH size AS MATERIALIZED (
    SELECT queue.id, newest.since, greatest(1, newest.number / %(most)s) AS step, newest.number = %(among)s AS is_cut
    FROM unnest(%(queues)s::bigint[]) AS queue (id) CROSS JOIN LATERAL (
        SELECT count(*) AS number, min(created_at) AS since FROM (
            SELECT created_at FROM matchmaking_offer WHERE queue_id = queue.id AND created_at >= %(since)s
            ORDER BY created_at DESC, id DESC LIMIT %(among)s
        ) AS offer
    ) AS newest
), chosen AS MATERIALIZED (
    SELECT size.id AS queue, size.step, size.is_cut, offer.id
    FROM size CROSS JOIN LATERAL (
        SELECT id FROM matchmaking_offer
        WHERE queue_id = size.id AND created_at >= size.since AND id %% size.step = 0 OFFSET 0
    ) AS offer
), met AS MATERIALIZED (
    SELECT chosen.*, offer.gap, abs(offer.chance - 0.5) AS distance,
        coalesce(offer.record ->> 'strategy', '') AS strategy
    FROM chosen CROSS JOIN LATERAL (
        SELECT gap, chance, record FROM matchmaking_offer WHERE id = chosen.id AND state = 'accepted' OFFSET 0
    ) AS offer
), figures AS (
    SELECT queue, strategy, grouping(strategy) = 1 AS is_all, max(step) AS step, bool_or(is_cut) AS is_cut,
        count(*) AS matches, avg(gap) AS gap, avg(distance) AS distance, avg((distance <= 0.1)::int)::float8 AS even
    FROM met GROUP BY GROUPING SETS ((queue), (queue, strategy))
), waits AS (
    SELECT queue, strategy, grouping(strategy) = 1 AS is_all, avg(wait) AS mean,
        percentile_cont(ARRAY[0.5, 0.95, 0.99]) WITHIN GROUP (ORDER BY wait) AS shares
    FROM (
        SELECT met.queue, met.strategy, extract(epoch FROM ticket.ended_at - ticket.waiting_since)::float8 AS wait
        FROM met JOIN matchmaking_offerticket AS offered ON offered.offer_id = met.id
            JOIN matchmaking_ticket AS ticket ON ticket.id = offered.ticket_id
    ) AS waited
    GROUP BY GROUPING SETS ((queue), (queue, strategy))
)
SELECT figures.queue, figures.is_all, figures.strategy, figures.step, figures.is_cut, figures.matches,
    waits.mean, waits.shares, figures.gap, figures.distance, figures.even
FROM figures JOIN waits ON waits.queue = figures.queue AND waits.is_all = figures.is_all
    AND waits.strategy IS NOT DISTINCT FROM figures.strategy
ORDER BY figures.queue, figures.is_all DESC, figures.strategy
"""


@dataclass(frozen=True, slots=True)
class Quality:
    """Matches of a queue, or of one strategy in it.

    strategy        its name; "" where the offers do not say; None for all together
    matches         how many went into the figures
    mean, p50, p95, p99  seconds that a search took until its match
    gap             mean rating points between the sides; None where no offer has one
    distance        mean distance of the expected score from one half, 0 to 0.5; None where none has one
    even            share of matches whose expected score was from 0.4 to 0.6; None likewise
    """

    strategy: str | None
    matches: int
    mean: float
    p50: float
    p95: float
    p99: float
    gap: float | None
    distance: float | None
    even: float | None


@dataclass(frozen=True, slots=True)
class QueueQuality:
    """A queue: `total` of all its matches, then each strategy.

    step    one match in so many was looked at
    is_cut  whether there were so many that only the newest were gone through
    """

    total: Quality
    by_strategy: tuple[Quality, ...]
    step: int
    is_cut: bool


def qualities(queue_ids: Iterable[int], *, span: str) -> dict[int, QueueQuality]:
    """Return the figures of each queue that made matches in the last `span` of `SPANS`. One query."""
    queues = list(queue_ids)
    given: dict[str, Any] = {
        "queues": queues,
        "since": clock.now() - SPANS[span],
        "most": MOST,
        "among": max(MOST, AMONG // max(1, len(queues))),
    }
    with connection.cursor() as cursor:
        cursor.execute(_QUALITIES, given)
        rows = cursor.fetchall()
    found: dict[int, QueueQuality] = {}
    for queue, is_all, strategy, step, is_cut, matches, mean, shares, *evenness in rows:
        one = Quality(None if is_all else strategy, matches, mean, *shares, *evenness)
        if is_all:
            found[queue] = QueueQuality(one, (), step, is_cut)
        else:
            before = found[queue]
            found[queue] = QueueQuality(before.total, (*before.by_strategy, one), step, is_cut)
    return found
