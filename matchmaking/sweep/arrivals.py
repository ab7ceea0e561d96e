"""Who came to a queue lately, and how often at which rating: what holding pairs back goes by."""

from datetime import timedelta

import numpy as np

from foundation import clock
from foundation.postgresql.bulk import fetch_columns, moment, real, to_micros
from matchmaking.models import Queue
from matchmaking.pairing.arrivals import ArrivalRates
from matchmaking.pairing.settings import Settings
from ratings.models import RatingTrack
from ratings.systems.base import System

__all__ = ["read_arrivals"]

# The newest so many, none older than that: enough to know the rates, and few enough for every sweep.
MOST, SINCE = 500, timedelta(hours=2)
# By the indexes of tickets that wait, found a match or ended in vain; whoever is offered a match is left out for a
# moment. Ratings are looked up ticket by ticket, whatever the statistics of the tables say.
_ENDED = "ended_at > %(since)s ORDER BY ended_at DESC LIMIT %(most)s"
_NEWEST = f"""
(
    SELECT id, waiting_since FROM (
        (SELECT id, waiting_since FROM matchmaking_ticket WHERE queue_id = %(queue)s AND state = 'waiting')
        UNION ALL
        (SELECT id, waiting_since FROM matchmaking_ticket
         WHERE queue_id = %(queue)s AND state = 'matched' AND {_ENDED})
        UNION ALL
        (SELECT id, waiting_since FROM matchmaking_ticket
         WHERE queue_id = %(queue)s AND state IN ('cancelled', 'expired') AND {_ENDED})
    ) AS lately
    WHERE waiting_since > %(since)s ORDER BY waiting_since DESC, id LIMIT %(most)s
) AS newest CROSS JOIN LATERAL (
    SELECT avg(coalesce(rating.value, %(initial)s)) AS value
    FROM matchmaking_ticketmember AS member LEFT JOIN LATERAL (
        SELECT value FROM ratings_rating WHERE player_id = member.player_id AND track_id + 0 = %(track)s LIMIT 1
    ) AS rating ON true
    WHERE member.ticket_id = newest.id
) AS players
WHERE players.value IS NOT NULL
"""  # noqa: S608 - constants
_COLUMNS = {"at": moment("newest.waiting_since"), "rating": real("players.value")}


def read_arrivals(
    queue: Queue, settings: Settings, track: RatingTrack | None, system: System | None
) -> ArrivalRates | None:
    """How often tickets came at which rating; None where the queue holds nobody back, or nothing is known."""
    if not settings.timing.holds or track is None or system is None:
        return None
    now = clock.now()
    given = {
        "queue": queue.pk,
        "track": track.pk,
        "initial": float(system.initial(1).value[0]),
        "since": now - SINCE,
        "most": MOST,
    }
    found = fetch_columns(_COLUMNS, _NEWEST, given)
    if not len(found["at"]):
        return None
    seconds = (to_micros(now) - int(np.min(found["at"]))) / 1_000_000
    return ArrivalRates.learned(found["rating"], seconds)
