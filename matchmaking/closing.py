"""Bringing offers and tickets to their end: statements over many at once, for callers that hold the offers' rows.

Locks are taken in this order, everywhere, so that nobody waits in a circle: the queue's row, offers by id, tickets
by id, then the rows of `ratings`. Whoever holds a ticket and finds that its offer is needed lets go and begins anew.
A ticket that is offered a match changes only under the lock of its offer.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection

from events.live import tell
from matchmaking.counting import count_offers
from matchmaking.models import Offer, OfferState, OfferTicket, Ticket, TicketState
from ratings.models import Participant

__all__ = [
    "Seat",
    "close_offers",
    "conclude_offers",
    "decline_held_offer",
    "end_tickets",
    "expire_held_offers",
    "fail_held_offers",
    "lock_seats",
    "tell_players",
]

_SEATS = """
SELECT seat.offer_id, seat.team, ticket.id, member.player_id, seat.accepted_at IS NOT NULL, ticket.waiting_since
FROM matchmaking_offerticket AS seat
JOIN matchmaking_ticket AS ticket ON ticket.id = seat.ticket_id
JOIN matchmaking_ticketmember AS member ON member.ticket_id = ticket.id
WHERE seat.offer_id = ANY(%(offers)s) AND seat.live
ORDER BY ticket.id, member.player_id FOR UPDATE OF ticket
"""
_CONCLUDE_OFFERS = """
UPDATE matchmaking_offer AS offer SET state = 'accepted', match_id = found.match
FROM unnest(%(tickets)s::bigint[], %(matches)s::bigint[]) AS found (ticket, match)
JOIN matchmaking_offerticket AS seat ON seat.ticket_id = found.ticket AND seat.live
WHERE offer.id = seat.offer_id
"""
_CONCLUDE_TICKETS = """
WITH ended AS (
    UPDATE matchmaking_ticket AS ticket SET state = 'matched', ended_at = %(now)s
    FROM matchmaking_offer AS offer JOIN matchmaking_offerticket AS seat ON seat.offer_id = offer.id AND seat.live
    WHERE offer.match_id = ANY(%(matches)s) AND ticket.id = seat.ticket_id
    RETURNING ticket.id
)
UPDATE matchmaking_ticketmember AS member SET live = false FROM ended
WHERE member.ticket_id = ended.id AND member.live
"""
_END_TICKETS = """
WITH ended AS (
    UPDATE matchmaking_ticket SET state = %(state)s, ended_at = %(now)s WHERE id = ANY(%(tickets)s) RETURNING id
)
UPDATE matchmaking_ticketmember AS member SET live = false FROM ended
WHERE member.ticket_id = ended.id AND member.live
"""


@dataclass(frozen=True, slots=True)
class Seat:
    """One player of an offer; a party has several on one ticket."""

    offer_id: int
    team: int
    ticket_id: int
    player_id: int
    has_accepted: bool
    waiting_since: datetime


def lock_seats(offer_ids: Collection[int]) -> list[Seat]:
    """Lock the tickets of live offers; ordered by ticket."""
    with connection.cursor() as cursor:
        cursor.execute(_SEATS, {"offers": list(offer_ids)})
        return [Seat(*row) for row in cursor.fetchall()]


def end_tickets(ticket_ids: Collection[int], state: TicketState, now: datetime) -> None:
    """End tickets that the caller holds, as cancelled or expired; their players may search again."""
    with connection.cursor() as cursor:
        given: dict[str, Any] = {"tickets": list(ticket_ids), "state": state.value, "now": now}
        cursor.execute(_END_TICKETS, given)


def close_offers(offer_ids: Collection[int], state: OfferState) -> None:
    """Close offers as declined or expired. Their tickets that have not ended wait on, with the wait they had."""
    seats = OfferTicket.objects.filter(offer__in=offer_ids, live=True)
    offered = Ticket.objects.filter(state=TicketState.OFFERED, pk__in=seats.values("ticket"))
    offered.update(state=TicketState.WAITING)
    seats.update(live=False)
    Offer.objects.filter(pk__in=offer_ids).update(state=state)


def decline_held_offer(offer: Offer, seats: Iterable[Seat], ticket_id: int, now: datetime) -> None:
    """Close a pending offer that one of its tickets does not want: that one has ended, the others wait on."""
    mine = OfferTicket.objects.filter(offer=offer, ticket=ticket_id)
    mine.update(accepted_at=None, declined_at=now)
    end_tickets([ticket_id], TicketState.CANCELLED, now)
    close_offers([offer.pk], OfferState.DECLINED)
    count_offers(offer.queue.slug, "declined")
    tell_players((seat.player_id for seat in seats), "offer.declined", offer=offer.pk)


def expire_held_offers(offer_ids: Collection[int], now: datetime) -> list[Seat]:
    """Close offers whose time is over: whoever has not answered has ended. Returns all their seats."""
    seats = lock_seats(offer_ids)
    end_tickets(_tickets(seat for seat in seats if not seat.has_accepted), TicketState.EXPIRED, now)
    close_offers(offer_ids, OfferState.EXPIRED)
    tell_players((seat.player_id for seat in seats), "offer.expired")
    return seats


def fail_held_offers(offer_ids: Collection[int], now: datetime) -> dict[int, tuple[int, int]]:
    """Close offers whose match could not begin: whoever plays already has ended, the others wait on.

    Returns the player and the match by the tickets that have ended.
    """
    seats = lock_seats(offer_ids)
    tickets = {seat.player_id: seat.ticket_id for seat in seats}
    playing = Participant.objects.filter(player__in=tickets, playing=True)
    ended = {
        tickets[player]: (player, match) for player, match in playing.values_list("player", "match")
    }
    end_tickets(ended, TicketState.CANCELLED, now)
    close_offers(offer_ids, OfferState.DECLINED)
    tell_players(tickets, "offer.declined")
    return ended


def conclude_offers(ticket_ids: Sequence[int], match_ids: Sequence[int], now: datetime) -> None:
    """Let the live offer of each ticket end in the match beside it, for all tickets of that offer."""
    given: dict[str, Any] = {"tickets": list(ticket_ids), "matches": list(match_ids), "now": now}
    with connection.cursor() as cursor:
        cursor.execute(_CONCLUDE_OFFERS, given)
        cursor.execute(_CONCLUDE_TICKETS, given)


def tell_players(player_ids: Iterable[int], kind: str, **ids: int) -> None:
    """Tell the open pages of these players, once this has committed."""
    tell([f"player:{pk}" for pk in player_ids], kind, **ids)


def _tickets(seats: Iterable[Seat]) -> list[int]:
    return sorted({seat.ticket_id for seat in seats})
