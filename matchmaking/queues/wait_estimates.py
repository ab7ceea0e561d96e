"""How long a search takes, from those that found a match lately."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from foundation import clock
from foundation.prepared import prepared
from matchmaking.models import Queue, Ticket
from ratings.models import Mode

__all__ = [
    "MOST",
    "WITH_ESTIMATES",
    "Estimate",
    "estimate",
    "estimate_for",
    "estimate_of",
    "estimates",
    "estimates_near",
    "lately_given",
]

# What is called lately: the last so many searches, none older than a day; with fewer than `LEAST` nothing is said.
LEAST = 10
MOST = 200
WITHIN = timedelta(days=1)
# For a rating: the nearest so many of more of the latest.
NEAREST, AMONG = 50, 500

_ESTIMATES = """
SELECT queue.id, count(lately.wait), percentile_cont(ARRAY[0.5, 0.9]) WITHIN GROUP (ORDER BY lately.wait)
FROM unnest({queues}::bigint[]) AS queue (id) LEFT JOIN LATERAL (
    SELECT extract(epoch FROM ended_at - waiting_since)::float8 AS wait FROM matchmaking_ticket
    WHERE queue_id = queue.id AND state = 'matched'
      AND ended_at >= coalesce(%(at)s::timestamptz, now()) - %(within)s::interval
    ORDER BY ended_at DESC LIMIT %(most)s
) AS lately ON true
GROUP BY queue.id
"""
# Ratings that tickets were paired by are of the track shown then: those of before another took its place say nothing,
# nor do those offered a match before that, who had so many seconds to accept.
_NEAR = """
SELECT asked.key, count(near.wait), percentile_cont(ARRAY[0.5, 0.9]) WITHIN GROUP (ORDER BY near.wait)
FROM ({asked}) AS asked (key, queue, rating)
JOIN matchmaking_queue AS queue ON queue.id = asked.queue
LEFT JOIN ratings_ratingtrack AS track ON track.ladder_id = queue.ladder_id AND track.shown AND track.facet = ''
CROSS JOIN LATERAL (
    SELECT wait FROM (
        SELECT rating, extract(epoch FROM ended_at - waiting_since)::float8 AS wait FROM matchmaking_ticket
        WHERE queue_id = asked.queue AND state = 'matched'
          AND ended_at >= greatest(coalesce(%(at)s::timestamptz, now()) - %(within)s::interval,
                                   track.shown_since + make_interval(secs => queue.accept_seconds))
        ORDER BY ended_at DESC LIMIT %(among)s
    ) AS lately
    WHERE rating IS NOT NULL ORDER BY abs(rating - asked.rating), wait LIMIT %(nearest)s
) AS near
GROUP BY asked.key
"""
# Of the shown track, as the sweep reads it; a party counts for the mean of its players.
_RATING = """
SELECT avg(rating.value) FROM ratings_ratingtrack AS track JOIN ratings_rating AS rating ON rating.track_id = track.id
WHERE track.ladder_id = %(ladder)s AND track.shown AND track.facet = '' AND rating.player_id = ANY(%(players)s)
"""
_OF_TICKETS = """
    SELECT ticket.id, ticket.queue_id, avg(rating.value) FROM matchmaking_ticket AS ticket
    JOIN matchmaking_queue AS queue ON queue.id = ticket.queue_id
    JOIN ratings_ladder AS ladder ON ladder.id = queue.ladder_id AND ladder.mode = 'ranked'
    JOIN matchmaking_ticketmember AS member ON member.ticket_id = ticket.id
    JOIN ratings_ratingtrack AS track ON track.ladder_id = queue.ladder_id AND track.shown AND track.facet = ''
    JOIN ratings_rating AS rating ON rating.track_id = track.id AND rating.player_id = member.player_id
    WHERE ticket.id = ANY(%(tickets)s) GROUP BY ticket.id
"""
# For tickets that are read in the same statement, as `near` by ticket and, where that is too little, `lately` by queue.
# Needs %(tickets)s and what `lately_given` gives; what comes of it is read by `estimate_of`.
WITH_ESTIMATES = f"""
near (ticket, searches, waits) AS MATERIALIZED ({_NEAR.format(asked=_OF_TICKETS)}),
lately (queue, searches, waits) AS MATERIALIZED ({
    _ESTIMATES.format(
        queues=f'''ARRAY(
            SELECT queue_id FROM matchmaking_ticket WHERE id = ANY(%(tickets)s)
              AND NOT EXISTS (SELECT FROM near WHERE near.ticket = id AND near.searches >= {LEAST})
        )'''
    )
})
"""  # noqa: S608
_GIVEN = "SELECT 1, %(queue)s::bigint, %(rating)s::float8"


@dataclass(frozen=True, slots=True)
class Estimate:
    """Seconds from joining to the match: half of the searches were shorter than `median`, nine in ten than `p90`.

    Both are None where too few searches are known; `searches` says how many went in.
    """

    median: float | None
    p90: float | None
    searches: int


def estimate(queue_id: int, rating: float | None = None) -> Estimate:
    """Estimate the wait in a queue; with a `rating`, from the searches of those rated next to it.

    Where these are too few, from all.
    """
    if rating is not None:
        for near in _near(_GIVEN, queue=queue_id, rating=rating).values():
            return near
    return estimates([queue_id])[queue_id]


def estimates(queue_ids: Iterable[int]) -> dict[int, Estimate]:
    """Estimate the wait in each queue, whoever searches. One query."""
    given = {"queues": list(queue_ids), **lately_given()}
    with prepared() as cursor:
        cursor.execute(_ESTIMATES.format(queues="%(queues)s"), given)
        return {pk: _estimate(number, waits) for pk, number, waits in cursor.fetchall()}


def estimates_near(tickets: Sequence[Ticket]) -> dict[int, Estimate]:
    """Estimate the wait of each ticket, by id, from its equals. Their queues and ladders were read. Two queries.

    On ladders in normal mode from all: what comes of hidden ratings might tell of them.
    """
    ranked = [ticket.pk for ticket in tickets if ticket.queue.ladder.mode == Mode.RANKED]
    found = _near(_OF_TICKETS, tickets=ranked) if ranked else {}
    rest = [ticket for ticket in tickets if ticket.pk not in found]
    if rest:
        of_all = estimates({ticket.queue_id for ticket in rest})
        found |= {ticket.pk: of_all[ticket.queue_id] for ticket in rest}
    return found


def estimate_for(queue: Queue, player_ids: Sequence[int]) -> Estimate:
    """Estimate the wait of players, before they search together, from their equals. Three queries at most."""
    if queue.ladder.mode != Mode.RANKED:
        return estimate(queue.pk)
    with prepared() as cursor:
        cursor.execute(_RATING, {"ladder": queue.ladder_id, "players": list(player_ids)})
        (rating,) = cursor.fetchone()
    return estimate(queue.pk, rating)


def _near(asked: str, **given: Any) -> dict[int, Estimate]:
    """Estimates by key, from what a statement asks for: keys, queues and ratings. Those of too few are left out."""
    given |= lately_given()
    with prepared() as cursor:
        cursor.execute(_NEAR.format(asked=asked), given)
        rows = cursor.fetchall()
    return {key: _estimate(number, waits) for key, number, waits in rows if number >= LEAST}


def lately_given() -> dict[str, Any]:
    """For statements: what is called lately, without a trip for the time."""
    return {
        "at": clock.replaced(),
        "within": WITHIN,
        "most": MOST,
        "among": AMONG,
        "nearest": NEAREST,
    }


def estimate_of(
    near: tuple[int | None, list[float]], lately: tuple[int | None, list[float]]
) -> Estimate:
    """The estimate that a row of `WITH_ESTIMATES` gives: from its equals where they are enough, else from all."""
    searches, waits = near if (near[0] or 0) >= LEAST else lately
    return _estimate(searches or 0, waits)


def _estimate(searches: int, waits: list[float]) -> Estimate:
    if searches < LEAST:
        return Estimate(None, None, searches)
    median, p90 = waits
    return Estimate(median, p90, searches)
