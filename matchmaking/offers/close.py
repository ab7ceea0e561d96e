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

from events.kinds import Kind
from events.live import Message, broadcast, broadcast_all
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
    "Addressee",
    "OfferPlayer",
    "broadcast_tickets",
    "broadcast_to_offer",
    "broadcast_to_players",
    "chosen_characters",
    "conclude_offer",
    "decline_held_offer",
    "end_tickets",
    "expire_held_offers",
    "fail_held_offer",
    "lock_players",
    "playing_of",
]

_PLAYERS = """
SELECT offered.offer_id, offered.team, ticket.id, member.player_id, offered.accepted_at IS NOT NULL,
       ticket.waiting_since,
       ladder.game_id, queue.id
FROM matchmaking_offerticket AS offered
JOIN matchmaking_ticket AS ticket ON ticket.id = offered.ticket_id
JOIN matchmaking_ticketmember AS member ON member.ticket_id = ticket.id
JOIN matchmaking_queue AS queue ON queue.id = ticket.queue_id
JOIN ratings_ladder AS ladder ON ladder.id = queue.ladder_id
WHERE offered.offer_id = ANY(%(offers)s) AND offered.live
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
class OfferPlayer:
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
class Addressee:
    """A player who gets a message, and the ticket and offer that it is about."""

    game_id: int
    queue_id: int
    ticket_id: int
    player_id: int
    offer_id: int = 0


def lock_players(offer_ids: Collection[int]) -> list[OfferPlayer]:
    """Lock the tickets of live offers; returns the players on them, ordered by ticket."""
    with connection.cursor() as cursor:
        cursor.execute(_PLAYERS, {"offers": list(offer_ids)})
        return [OfferPlayer(*row) for row in cursor.fetchall()]


def end_tickets(ticket_ids: Collection[int], state: TicketState, now: datetime) -> None:
    """End tickets that the caller holds; their players may search again."""
    given: dict[str, Any] = {"tickets": list(ticket_ids), "state": state.value, "now": now}
    with connection.cursor() as cursor:
        cursor.execute(_END_TICKETS, given)


def conclude_offer(
    offer: Offer, players: Collection[OfferPlayer], match: Match, now: datetime
) -> None:
    """Let an offer that all have accepted end in its match."""
    offer.state, offer.match = OfferState.ACCEPTED, match
    offer.save(update_fields=["state", "match"])
    end_tickets({one.ticket_id for one in players}, TicketState.MATCHED, now)
    broadcast_to_offer(players, Kind.OFFER_ACCEPTED, offer=offer.pk)


def decline_held_offer(
    offer: Offer, players: Collection[OfferPlayer], ticket_id: int, now: datetime
) -> None:
    """Close a pending offer that one of its tickets does not want: that one has ended, the others wait on."""
    mine = OfferTicket.objects.filter(offer=offer, ticket=ticket_id)
    mine.update(accepted_at=None, declined_at=now)
    end_tickets([ticket_id], TicketState.CANCELLED, now)
    _close(players, OfferState.DECLINED, ended={ticket_id})
    count_offers(offer.queue.slug, "declined")
    broadcast_to_offer(players, Kind.OFFER_DECLINED, offer=offer.pk)


def expire_held_offers(offer_ids: Collection[int], now: datetime) -> None:
    """Close offers whose time is over: whoever has not answered has ended."""
    players = lock_players(offer_ids)
    ended = {one.ticket_id for one in players if not one.has_accepted}
    end_tickets(ended, TicketState.EXPIRED, now)
    _close(players, OfferState.EXPIRED, ended=ended)
    addressees = (
        Addressee(one.game_id, one.queue_id, one.ticket_id, one.player_id, one.offer_id)
        for one in players
    )
    broadcast_tickets(addressees, Kind.OFFER_EXPIRED)


def fail_held_offer(
    offer: Offer, players: Collection[OfferPlayer], playing: Mapping[int, int], now: datetime
) -> None:
    """Close an offer whose match could not begin: whoever plays already has ended, the others wait on."""
    ended = {one.ticket_id for one in players if one.player_id in playing}
    end_tickets(ended, TicketState.CANCELLED, now)
    _close(players, OfferState.DECLINED, ended=ended)
    count_offers(offer.queue.slug, "failed")
    broadcast_to_offer(players, Kind.OFFER_DECLINED, offer=offer.pk)


def playing_of(player_ids: Collection[int]) -> dict[int, int]:
    """Return the matches that these players are in and have not reported, by player."""
    players = Participant.objects.filter(player__in=player_ids, playing=True)
    return dict(players.values_list("player", "match"))


def chosen_characters(ticket_ids: Collection[int]) -> dict[int, str]:
    """What the players of these tickets chose before the search, by player; without those who chose nothing."""
    members = TicketMember.objects.filter(ticket__in=ticket_ids).exclude(character="")
    return dict(members.values_list("player", "character"))


def broadcast_to_players(game_id: int, player_ids: Iterable[int], kind: Kind, **ids: int) -> None:
    """Broadcast to the streams of these players of a game, and to those of its servers."""
    broadcast([*(f"player:{pk}" for pk in player_ids), f"searches:{game_id}"], kind, **ids)


def broadcast_tickets(addressees: Iterable[Addressee], kind: Kind) -> None:
    """Broadcast one message for each ticket: to its players, and to the servers of their game."""
    by_ticket: defaultdict[int, list[Addressee]] = defaultdict(list)
    for one in addressees:
        by_ticket[one.ticket_id].append(one)
    messages = []
    # By their numbers: the order in which a sweep has them reveals ratings.
    for ticket_id, members in sorted(by_ticket.items()):
        first, players = members[0], sorted(member.player_id for member in members)
        topics = [*(f"player:{pk}" for pk in players), f"searches:{first.game_id}"]
        ids = {"ticket": ticket_id, "queue": first.queue_id}
        ids |= {"offer": first.offer_id} if first.offer_id else {}
        messages.append(Message(tuple(topics), kind, ids, tuple(players)))
    broadcast_all(messages)


def broadcast_to_offer(players: Iterable[OfferPlayer], kind: Kind, **ids: int) -> None:
    """Broadcast to the players of offers, with the same ids for all, and to the servers of their games."""
    by_game: defaultdict[int, list[int]] = defaultdict(list)
    for one in players:
        by_game[one.game_id].append(one.player_id)
    for game_id, ids_of_players in by_game.items():
        broadcast_to_players(game_id, ids_of_players, kind, **ids)


def _close(players: Iterable[OfferPlayer], state: OfferState, *, ended: Set[int]) -> None:
    """Close the offers of these players. Their tickets that have not ended wait on, with the wait they had."""
    offers = {one.offer_id for one in players}
    waiting = {one.ticket_id for one in players} - ended
    Ticket.objects.filter(pk__in=waiting).update(state=TicketState.WAITING)
    OfferTicket.objects.filter(offer__in=offers).update(live=False)
    Offer.objects.filter(pk__in=offers).update(state=state)
