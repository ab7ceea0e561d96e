"""How many search in a queue now, and whether any are near a player: only roughly, and never by hidden ratings."""

from dataclasses import dataclass
from enum import StrEnum

from foundation.postgresql.prepared import prepared
from matchmaking.models import Queue
from ratings.models import Mode

__all__ = ["Near", "SearchingNow", "searching_now"]

_SEVERAL = 3
# Who waits a minute accepts so much: whoever is no further away is near.
_SECONDS = 60.0

_SEARCHING = """
WITH live AS (
    SELECT ticket.id, count(*) AS players, avg(rating.value) AS rating,
           bool_or(member.player_id = %(player)s) AS is_own
    FROM matchmaking_ticket AS ticket JOIN matchmaking_ticketmember AS member ON member.ticket_id = ticket.id
    LEFT JOIN ratings_ratingtrack AS track ON track.ladder_id = %(ladder)s AND track.shown AND track.facet = ''
    LEFT JOIN ratings_rating AS rating ON rating.track_id = track.id AND rating.player_id = member.player_id
    WHERE ticket.queue_id = %(queue)s AND ticket.state IN ('waiting', 'offered') GROUP BY ticket.id
), own AS (
    SELECT rating.value FROM ratings_ratingtrack AS track
    JOIN ratings_rating AS rating ON rating.track_id = track.id AND rating.player_id = %(player)s
    WHERE track.ladder_id = %(ladder)s AND track.shown AND track.facet = ''
)
SELECT coalesce(sum(players), 0)::int, (SELECT count(*) FROM own)::int,
       count(*) FILTER (WHERE NOT is_own AND abs(rating - (SELECT value FROM own)) <= %(gap)s)::int
FROM live
"""


class Near(StrEnum):
    """How many searches are near a player."""

    NOBODY = "nobody"
    SOME = "some"
    SEVERAL = "several"


@dataclass(frozen=True, slots=True)
class SearchingNow:
    """Players who search; `near`: how many searches are near the player who asks, None where that is not said."""

    players: int
    near: Near | None


def searching_now(queue: Queue, player_id: int | None) -> SearchingNow:
    """Count those who search in a queue, whose ladder was read with it. One query.

    Near is said on ranked ladders alone, where ratings are public: elsewhere it would tell of hidden ones.
    """
    gap = queue.gap_start + queue.gap_per_second * _SECONDS
    given = {
        "queue": queue.pk,
        "ladder": queue.ladder_id,
        "player": player_id or 0,
        "gap": gap if queue.gap_cap is None else min(gap, queue.gap_cap),
    }
    with prepared() as cursor:
        cursor.execute(_SEARCHING, given)
        players, is_rated, number = cursor.fetchone()
    if queue.ladder.mode != Mode.RANKED or not is_rated:
        return SearchingNow(players, None)
    near = Near.SEVERAL if number >= _SEVERAL else Near.SOME if number else Near.NOBODY
    return SearchingNow(players, near)
