"""Bringing offers and tickets to their end: statements over many at once, for callers that hold the offers' rows.

Locks are taken in this order, everywhere, so that nobody waits in a circle: a party's row, the queue's row, offers by
id, tickets by id, then the rows of `ratings`. Whoever holds a ticket and finds that its offer is needed lets go and
begins anew. A ticket that is offered a match changes only under the lock of its offer.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Set
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection

from events.live import Message, tell, tell_all
from matchmaking.models import (
    Offer,
    OfferState,
    OfferTicket,
    Ticket,
    TicketMember,
    TicketState,
)
from matchmaking.offers.metrics import count_offers
from ratings.models import Match, Participant

__all__ = [
    "Seat",
    "Told",
    "chosen_characters",
    "conclude_offer",
    "decline_held_offer",
    "end_tickets",
    "expire_held_offers",
    "fail_held_offer",
    "lock_seats",
    "playing_of",
    "tell_players",
    "tell_seats",
    "tell_tickets",
]

_SEATS = """
SELECT seat.offer_id, seat.team, ticket.id, member.player_id, seat.accepted_at IS NOT NULL, ticket.waiting_since,
       ladder.game_id, queue.id
FROM matchmaking_offerticket AS seat
JOIN matchmaking_ticket AS ticket ON ticket.id = seat.ticket_id
JOIN matchmaking_ticketmember AS member ON member.ticket_id = ticket.id
JOIN matchmaking_queue AS queue ON queue.id = ticket.queue_id
JOIN ratings_ladder AS ladder ON ladder.id = queue.ladder_id
WHERE seat.offer_id = ANY(%(offers)s) AND seat.live
ORDER BY ticket.id, member.player_id FOR UPDATE OF ticket
"""
# By ids alone: how many tickets are live just now changes faster than the statistics that plans are made from.
_END_TICKETS = """
WITH ended AS (
    UPDATE matchmaking_ticket SET state = %(state)s, ended_at = %(now)s WHERE id = ANY(%(tickets)s)
)
UPDATE matchmaking_ticketmember SET live = false WHERE ticket_id = ANY(%(tickets)s)
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
    game_id: int
    queue_id: int


@dataclass(frozen=True, slots=True)
class Told:
    """A player, and the ticket and offer that something is told of."""

    game_id: int
    queue_id: int
    ticket_id: int
    player_id: int
    offer_id: int = 0


def lock_seats(offer_ids: Collection[int]) -> list[Seat]:
    """Lock the tickets of live offers; ordered by ticket."""
    with connection.cursor() as cursor:
        cursor.execute(_SEATS, {"offers": list(offer_ids)})
        return [Seat(*row) for row in cursor.fetchall()]


def end_tickets(ticket_ids: Collection[int], state: TicketState, now: datetime) -> None:
    """End tickets that the caller holds; their players may search again."""
    given: dict[str, Any] = {"tickets": list(ticket_ids), "state": state.value, "now": now}
    with connection.cursor() as cursor:
        cursor.execute(_END_TICKETS, given)


def conclude_offer(offer: Offer, seats: Collection[Seat], match: Match, now: datetime) -> None:
    """Let an offer that all have accepted end in its match."""
    offer.state, offer.match = OfferState.ACCEPTED, match
    offer.save(update_fields=["state", "match"])
    end_tickets({seat.ticket_id for seat in seats}, TicketState.MATCHED, now)
    tell_seats(seats, "offer.accepted", offer=offer.pk)


def decline_held_offer(
    offer: Offer, seats: Collection[Seat], ticket_id: int, now: datetime
) -> None:
    """Close a pending offer that one of its tickets does not want: that one has ended, the others wait on."""
    mine = OfferTicket.objects.filter(offer=offer, ticket=ticket_id)
    mine.update(accepted_at=None, declined_at=now)
    end_tickets([ticket_id], TicketState.CANCELLED, now)
    _close(seats, OfferState.DECLINED, ended={ticket_id})
    count_offers(offer.queue.slug, "declined")
    tell_seats(seats, "offer.declined", offer=offer.pk)


def expire_held_offers(offer_ids: Collection[int], now: datetime) -> None:
    """Close offers whose time is over: whoever has not answered has ended."""
    seats = lock_seats(offer_ids)
    ended = {seat.ticket_id for seat in seats if not seat.has_accepted}
    end_tickets(ended, TicketState.EXPIRED, now)
    _close(seats, OfferState.EXPIRED, ended=ended)
    told = (
        Told(seat.game_id, seat.queue_id, seat.ticket_id, seat.player_id, seat.offer_id)
        for seat in seats
    )
    tell_tickets(told, "offer.expired")


def fail_held_offer(
    offer: Offer, seats: Collection[Seat], playing: Mapping[int, int], now: datetime
) -> None:
    """Close an offer whose match could not begin: whoever plays already has ended, the others wait on."""
    ended = {seat.ticket_id for seat in seats if seat.player_id in playing}
    end_tickets(ended, TicketState.CANCELLED, now)
    _close(seats, OfferState.DECLINED, ended=ended)
    count_offers(offer.queue.slug, "failed")
    tell_seats(seats, "offer.declined", offer=offer.pk)


def playing_of(player_ids: Collection[int]) -> dict[int, int]:
    """Return the matches that these players are in and have not reported, by player."""
    seats = Participant.objects.filter(player__in=player_ids, playing=True)
    return dict(seats.values_list("player", "match"))


def chosen_characters(ticket_ids: Collection[int]) -> dict[int, str]:
    """What the players of these tickets chose before the search, by player; without those who chose nothing."""
    members = TicketMember.objects.filter(ticket__in=ticket_ids).exclude(character="")
    return dict(members.values_list("player", "character"))


def tell_players(game_id: int, player_ids: Iterable[int], kind: str, **ids: int) -> None:
    """Tell the open pages of these players of a game, and its servers, once this has committed."""
    tell([*(f"player:{pk}" for pk in player_ids), f"searches:{game_id}"], kind, **ids)


def tell_tickets(told: Iterable[Told], kind: str) -> None:
    """Tell the players of many tickets, each of the own one only, and the servers of their game of all of them."""
    by_ticket: defaultdict[int, list[Told]] = defaultdict(list)
    for one in told:
        by_ticket[one.ticket_id].append(one)
    messages = []
    # By their numbers: the order in which a sweep has them tells of ratings.
    for ticket_id, members in sorted(by_ticket.items()):
        first, players = members[0], sorted(member.player_id for member in members)
        topics = [*(f"player:{pk}" for pk in players), f"searches:{first.game_id}"]
        ids = {"ticket": ticket_id, "queue": first.queue_id}
        ids |= {"offer": first.offer_id} if first.offer_id else {}
        messages.append(Message(tuple(topics), kind, ids, tuple(players)))
    tell_all(messages)


def tell_seats(seats: Iterable[Seat], kind: str, **ids: int) -> None:
    """The same of all who sit there."""
    by_game: defaultdict[int, list[int]] = defaultdict(list)
    for seat in seats:
        by_game[seat.game_id].append(seat.player_id)
    for game_id, players in by_game.items():
        tell_players(game_id, players, kind, **ids)


def _close(seats: Iterable[Seat], state: OfferState, *, ended: Set[int]) -> None:
    """Close the offers of these seats. Their tickets that have not ended wait on, with the wait they had."""
    offers = {seat.offer_id for seat in seats}
    waiting = {seat.ticket_id for seat in seats} - ended
    Ticket.objects.filter(pk__in=waiting).update(state=TicketState.WAITING)
    OfferTicket.objects.filter(offer__in=offers).update(live=False)
    Offer.objects.filter(pk__in=offers).update(state=state)
