"""How it stands with a partner of the game for a search, as its players see it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

from matchmaking.models import PartnerState, Ticket

__all__ = ["PARTNER_COLUMNS", "PARTNER_JOIN", "PARTNER_MATCH", "PartnerSeen", "partner_seen"]

# For statements that read tickets with their queue and ladder: what `partner_seen` takes, in this order.
PARTNER_COLUMNS = """
CASE WHEN ladder.team_count = 2 AND ladder.team_size = (
         SELECT count(*) FROM matchmaking_ticketmember AS whole WHERE whole.ticket_id = ticket.id
     ) THEN queue.partner_seconds END,
request.id, request.state, request.expires_at, request.ended_at
"""
# The latest request of each ticket, and the match of a ticket that came to one by it.
PARTNER_JOIN = """
LEFT JOIN LATERAL (
    SELECT latest.* FROM matchmaking_partnerrequest AS latest WHERE latest.ticket_id = ticket.id
    ORDER BY latest.id DESC LIMIT 1
) AS request ON true
"""
PARTNER_MATCH = "coalesce(offer.match_id, request.match_id)"
_COLUMNS = 5


@dataclass(frozen=True, slots=True)
class PartnerSeen:
    """What the game may do for a search that finds nobody.

    is_wanted     whether its players want it
    available_at  from when on the game is asked, where they do
    request_id, answer_by  while the game is asked: the request, and until when the game may answer
    last          what came of the request before: `declined` or `expired`; empty where there was none
    """

    is_wanted: bool
    available_at: datetime
    request_id: int | None = None
    answer_by: datetime | None = None
    last: str = ""

    def shown_at(self, now: datetime) -> tuple[object, ...]:
        """Something else whenever a page would show something else."""
        return (
            self.is_wanted,
            self.request_id,
            self.last,
            self.available_at,
            now >= self.available_at,
        )


def partner_seen(ticket: Ticket, values: Iterator[Any]) -> PartnerSeen | None:
    """What stands in the next columns of a row, of this ticket; None where the game is never asked."""
    seconds, pk, state, expires_at, ended_at = islice(values, _COLUMNS)
    if seconds is None:
        return None
    after = timedelta(seconds=seconds)
    is_refused = state in {PartnerState.DECLINED, PartnerState.EXPIRED}
    since = max(ticket.waiting_since, ended_at) if is_refused else ticket.waiting_since
    is_asked = state == PartnerState.ASKED
    return PartnerSeen(
        is_wanted=ticket.wants_partner,
        available_at=since + after,
        request_id=pk if is_asked else None,
        answer_by=expires_at if is_asked else None,
        last=state if is_refused else "",
    )
