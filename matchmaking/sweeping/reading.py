"""Reading who waits in a queue, as arrays."""

from datetime import datetime, timedelta
from typing import Any

import numpy as np

from foundation.bulk import fetch_columns, moment, real, to_micros, whole
from matchmaking.models import Queue
from matchmaking.pairing import Rules, Tickets
from ratings.models import RatingTrack, TrackState
from ratings.periods import calendar_of
from ratings.systems import Ratings, System
from ratings.systems.arrays import Floats, Ints
from ratings.tuning import current_version, system_of

__all__ = ["read_waiting", "rules_of"]

# Whoever plays already, or has gone silent, is not offered a match. Ratings and matches are looked up player by player
# whatever the statistics say: on a new track, or in the evening, they know of a handful where there are thousands, and
# joining those with each other took seconds.
_TICKETS = """
matchmaking_ticket AS ticket JOIN matchmaking_ticketmember AS member ON member.ticket_id = ticket.id
LEFT JOIN LATERAL (
    SELECT value, deviation, volatility, as_of FROM ratings_rating
    WHERE player_id = member.player_id AND track_id + 0 = %(track)s LIMIT 1
) AS rating ON true
WHERE ticket.queue_id = %(queue)s AND ticket.state = 'waiting' AND ticket.seen_at >= %(seen_since)s
  AND (SELECT true FROM ratings_participant WHERE player_id = member.player_id AND playing LIMIT 1) IS NULL
"""
_COLUMNS = {
    "ticket": whole("ticket.id"),
    "player": whole("member.player_id"),
    "since": moment("ticket.waiting_since"),
    "value": real("coalesce(rating.value, 'NaN')"),
    "deviation": real("coalesce(rating.deviation, 'NaN')"),
    "volatility": real("coalesce(rating.volatility, 'NaN')"),
    "as_of": moment("coalesce(rating.as_of, ticket.waiting_since)"),
}
_MICROSECONDS = 1_000_000


def rules_of(queue: Queue) -> Rules:
    """How far the players of a queue may be apart."""
    return Rules(
        gap_start=queue.gap_start, gap_per_second=queue.gap_per_second, gap_cap=queue.gap_cap
    )


def read_waiting(queue: Queue, now: datetime) -> Tickets:
    """Read the tickets of a queue that may be offered a match. Two queries more for the rating system.

    Players without a rating have what everyone begins with; on a ladder without a track all are equal.
    """
    track = _track_of(queue)
    given = {
        "queue": queue.pk,
        "track": track.pk if track else 0,
        "seen_since": now - timedelta(seconds=queue.heartbeat_seconds),
    }
    found = fetch_columns(_COLUMNS, _TICKETS, given)
    waited = np.maximum(to_micros(now) - found["since"], 0) / _MICROSECONDS
    rating, deviation = _now(track, found, now)
    return Tickets(
        id=found["ticket"],
        player=found["player"],
        rating=rating,
        deviation=deviation,
        waited=waited,
    )


def _track_of(queue: Queue) -> RatingTrack | None:
    """The track that matches are made by: the shown one, or where nothing is shown the one that runs."""
    tracks = RatingTrack.objects.filter(ladder=queue.ladder_id, facet="", state=TrackState.LIVE)
    return tracks.order_by("-shown", "pk").first()


def _now(track: RatingTrack | None, found: dict[str, Any], now: datetime) -> tuple[Floats, Floats]:
    """Ratings and deviations as of now; nan where the system has no deviation."""
    value, deviation, volatility = (found[name] for name in ("value", "deviation", "volatility"))
    if track is None:
        return np.zeros(len(value)), deviation
    system = system_of(current_version(track), track.period_days)
    initial, new = system.initial(1), np.isnan(value)
    value[new] = initial.value[0]
    if initial.deviation is None:
        return value, deviation
    deviation[new] = initial.deviation[0]
    if initial.volatility is not None:
        volatility[new] = initial.volatility[0]
    nothing = np.zeros(len(value), dtype=np.int64)
    known = None if initial.volatility is None else volatility
    ratings = Ratings(value, deviation, known, nothing, nothing)
    return value, _aged(track, system, ratings, found["as_of"], now)


def _aged(
    track: RatingTrack, system: System, ratings: Ratings, as_of: Ints, now: datetime
) -> Floats:
    """Deviations have grown since they were computed, by the part of a period that has passed."""
    assert ratings.deviation is not None  # noqa: S101 - who has none is not asked
    if (calendar := calendar_of(track)) is None:
        return ratings.deviation
    idle = np.maximum(to_micros(now) - as_of, 0) / calendar.length_us
    aged = system.age(ratings, idle).deviation
    return ratings.deviation if aged is None else aged
