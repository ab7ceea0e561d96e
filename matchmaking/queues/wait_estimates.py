"""How long a search takes, from those that found a match lately.

Everybody who polls asks for it, and it changes slowly: a process keeps what it read of a queue for
`settings.ESTIMATES_KEPT` seconds, and works each estimate out from that.
"""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

import numpy as np
from django.conf import settings
from numpy.typing import NDArray

from foundation import clock
from foundation.postgresql.prepared import prepared
from matchmaking.models import Queue
from ratings.models import Mode

__all__ = [
    "LATELY",
    "MOST",
    "RATINGS",
    "Estimate",
    "estimate",
    "estimate_for",
    "estimates",
    "estimates_near",
]

# What is called lately: the last so many searches, none older than a day; with fewer than `LEAST` nothing is said.
LEAST = 10
MOST = 200
WITHIN = timedelta(days=1)
# For a rating: the nearest so many of more of the latest.
NEAREST, AMONG = 50, 500

# The latest first. Ratings that tickets were paired by are of the track shown then: those of before another took its
# place say nothing, nor do those offered a match before that, who had so many seconds to accept.
LATELY = """
SELECT queue.id, lately.waits, lately.ratings
FROM matchmaking_queue AS queue
LEFT JOIN ratings_ratingtrack AS track ON track.ladder_id = queue.ladder_id AND track.shown AND track.facet = ''
CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(wait ORDER BY ended_at DESC), '{}') AS waits,
           coalesce(array_agg(CASE WHEN track.shown_since IS NULL
                                     OR ended_at >= track.shown_since + make_interval(secs => queue.accept_seconds)
                              THEN rating END ORDER BY ended_at DESC), '{}') AS ratings
    FROM (
        SELECT rating, ended_at, extract(epoch FROM ended_at - waiting_since)::float8 AS wait FROM matchmaking_ticket
        WHERE queue_id = queue.id AND state = 'matched' AND NOT supplied
          AND ended_at >= coalesce(%(at)s::timestamptz, now()) - %(within)s::interval
        ORDER BY ended_at DESC LIMIT %(among)s
    ) AS latest
) AS lately
WHERE queue.id = ANY(%(queues)s)
"""
# Of the shown track, as the sweep reads it; a party counts for the mean of its players.
_RATING = """
SELECT avg(rating.value) FROM ratings_ratingtrack AS track JOIN ratings_rating AS rating ON rating.track_id = track.id
WHERE track.ladder_id = %(ladder)s AND track.shown AND track.facet = '' AND rating.player_id = ANY(%(players)s)
"""
# Ratings by `ticket` of those who search, as above. None on ladders in normal mode: what comes of hidden ratings might
# tell of them. Needs %(tickets)s; for statements that read tickets besides.
RATINGS = """
    SELECT ticket.id AS ticket, avg(rating.value) AS value FROM matchmaking_ticket AS ticket
    JOIN matchmaking_queue AS queue ON queue.id = ticket.queue_id
    JOIN ratings_ladder AS ladder ON ladder.id = queue.ladder_id AND ladder.mode = 'ranked'
    JOIN matchmaking_ticketmember AS member ON member.ticket_id = ticket.id
    JOIN ratings_ratingtrack AS track ON track.ladder_id = queue.ladder_id AND track.shown AND track.facet = ''
    JOIN ratings_rating AS rating ON rating.track_id = track.id AND rating.player_id = member.player_id
    WHERE ticket.id = ANY(%(tickets)s) GROUP BY ticket.id
"""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Seconds from joining to the match: half of the searches were shorter than `median`, nine in ten than `p90`.

    Both are None where too few searches are known; `searches` says how many went in.
    """

    median: float | None
    p90: float | None
    searches: int


class _Lately:
    """Searches of a queue that found a match lately, and when they were read."""

    def __init__(self, waits: Sequence[float], ratings: Sequence[float | None], at: float) -> None:
        self.at = at
        self.of_all = _estimate(np.array(waits[:MOST], dtype=np.float64))
        of_rated = np.array(ratings, dtype=np.float64)  # None becomes NaN
        is_rated = ~np.isnan(of_rated)
        self._ratings = of_rated[is_rated]
        self._waits = np.array(waits, dtype=np.float64)[is_rated]

    def near(self, rating: float | None) -> Estimate:
        """From those rated next to it; from all where these are too few, or no rating is known."""
        if rating is None or self._ratings.size < LEAST:
            return self.of_all
        order = np.lexsort((self._waits, np.abs(self._ratings - rating)))
        return _estimate(self._waits[order[:NEAREST]])


_known: dict[int, _Lately] = {}


def estimate(queue_id: int, rating: float | None = None) -> Estimate:
    """Estimate the wait in a queue; with a `rating`, from the searches of those rated next to it.

    Where these are too few, from all.
    """
    return estimates_near([(queue_id, rating)])[0]


def estimates(queue_ids: Iterable[int]) -> dict[int, Estimate]:
    """Estimate the wait in each queue, whoever searches. One query at most."""
    return {pk: lately.of_all for pk, lately in _lately(list(queue_ids)).items()}


def estimates_near(wanted: Sequence[tuple[int, float | None]]) -> list[Estimate]:
    """What `estimate` gives, for each queue and rating. One query at most."""
    lately = _lately([queue_id for queue_id, _rating in wanted])
    return [lately[queue_id].near(rating) for queue_id, rating in wanted]


def estimate_for(queue: Queue, player_ids: Sequence[int]) -> Estimate:
    """Estimate the wait of players, before they search together, from their equals. Two queries at most."""
    if queue.ladder.mode != Mode.RANKED:
        return estimate(queue.pk)
    with prepared() as cursor:
        cursor.execute(_RATING, {"ladder": queue.ladder_id, "players": list(player_ids)})
        (rating,) = cursor.fetchone()
    return estimate(queue.pk, rating)


def _lately(queue_ids: Sequence[int]) -> dict[int, _Lately]:
    """What is known of each queue; of one that is not there, nothing. One query at most.

    While one request reads a queue again, others go on with what was known: else all would ask at once.
    """
    now = time.monotonic()
    at = clock.replaced()
    kept = settings.ESTIMATES_KEPT if at is None else 0.0
    found: dict[int, _Lately] = {}
    for pk in queue_ids:
        known = _known.get(pk)
        if known is not None and now - known.at < kept:
            found[pk] = known
    asked = {pk for pk in queue_ids if pk not in found}
    if not asked:
        return found
    if kept:
        for pk in asked & _known.keys():
            _known[pk].at = now
    with prepared() as cursor:
        given = {"queues": sorted(asked), "at": at, "within": WITHIN, "among": AMONG}
        cursor.execute(LATELY, given)
        read = {pk: _Lately(waits, ratings, now) for pk, waits, ratings in cursor.fetchall()}
    if kept:  # of a queue that is new it is little, and the first that can be said is said at once
        _known.update({pk: one for pk, one in read.items() if one.of_all.searches >= LEAST})
    return found | read | {pk: _Lately([], [], now) for pk in asked - read.keys()}


def _estimate(waits: NDArray[np.float64]) -> Estimate:
    searches = waits.size
    if searches < LEAST:
        return Estimate(None, None, searches)
    in_order = np.sort(waits)
    return Estimate(_quantile(in_order, 0.5), _quantile(in_order, 0.9), searches)


def _quantile(in_order: NDArray[np.float64], share: float) -> float:
    """Between the two values next to this share, in proportion. `np.quantile` does this in fifty times as long."""
    position = share * (in_order.size - 1)
    below = int(position)
    above = min(below + 1, in_order.size - 1)
    low, high = float(in_order[below]), float(in_order[above])
    return low + (high - low) * (position - below)
