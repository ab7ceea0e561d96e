"""What a player's search looks like now: for pages and the API. Holds no ratings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import connection

from foundation import clock
from matchmaking.models import OfferState, OfferTicket, Ticket, TicketMember, TicketState
from matchmaking.models.tickets import LIVE
from matchmaking.offers.line_up import MemberSeen, line_ups, members_of
from matchmaking.queues.wait_estimates import Estimate, estimates_near
from matchmaking.tickets.lifecycle import beat
from ratings.models import Participant

__all__ = ["OfferSeen", "Search", "look", "outlines_of", "search_of", "search_on", "searches_on"]


_OUTLINES = """
SELECT ticket.id, ticket.state, CASE WHEN ticket.state = 'offered' THEN offer.id END, offer.match_id
FROM matchmaking_ticket AS ticket
LEFT JOIN matchmaking_offerticket AS offered ON offered.ticket_id = ticket.id AND offered.live
LEFT JOIN matchmaking_offer AS offer ON offer.id = offered.offer_id
WHERE ticket.id = ANY(%(tickets)s) ORDER BY ticket.id
"""


@dataclass(frozen=True, slots=True)
class OfferSeen:
    """An offer that waits for answers, as one of its players sees it.

    seconds_left  until it expires, never negative
    accepted      players for whom somebody has accepted, of `of`: one answers for a whole party
    is_accepted   whether this player has, or another of the party
    team          the own one, counted from 0
    teams         everybody by team; the first plays the better side, unless the ground is neutral
    map           empty where the game chooses
    """

    id: int
    expires_at: datetime
    seconds_left: float
    accepted: int
    of: int
    is_accepted: bool
    team: int
    teams: Sequence[Sequence[MemberSeen]]
    map: str
    is_neutral: bool


@dataclass(frozen=True, slots=True)
class Search:
    """A ticket, and what has come of it.

    party_id     None for a search of one player alone
    preferences  as `matchmaking.tickets.preferences` keeps them
    waited       seconds from joining until now, or until the search ended
    estimate     of the queue, for tickets rated like this one where enough are known
    offer        while the ticket is offered a match
    match_id     once it is matched
    ends_at      when it expires without a sign of life; None unless it waits
    """

    ticket_id: int
    queue_id: int
    queue: str
    queue_name: str
    ladder: str
    state: TicketState
    party_id: int | None
    preferences: Mapping[str, Any]
    waiting_since: datetime
    waited: float
    ends_at: datetime | None
    estimate: Estimate
    offer: OfferSeen | None
    match_id: int | None


@dataclass(frozen=True, slots=True)
class TicketOutline:
    """In short what has come of a ticket: the offer that waits for answers, or the match."""

    ticket_id: int
    state: TicketState
    offer_id: int | None
    match_id: int | None


def search_of(player_id: int) -> Search | None:
    """Return the player's live search, or the one whose match is being played; None when there is neither.

    Eight queries at most.
    """
    members = TicketMember.objects.filter(player=player_id).order_by("-pk")
    newest = members.select_related("ticket__queue__ladder").first()
    if newest is None:
        return None
    (search,) = _searches([newest.ticket])
    if search.state in LIVE:
        return search
    playing = Participant.objects.filter(match=search.match_id, player=player_id, playing=True)
    return search if search.match_id is not None and playing.exists() else None


def search_on(ticket_id: int) -> Search:
    """Return the search of one ticket, whatever its state. Raises Ticket.DoesNotExist."""
    return _searches([Ticket.objects.select_related("queue__ladder").get(pk=ticket_id)])[0]


def searches_on(ticket_ids: Sequence[int]) -> list[Search]:
    """Return the searches of tickets that exist, by id. Eight queries at most, whatever their number."""
    tickets = Ticket.objects.filter(pk__in=ticket_ids).select_related("queue__ladder")
    return _searches(list(tickets.order_by("pk")))


def outlines_of(ticket_ids: Sequence[int]) -> list[TicketOutline]:
    """In short what has come of tickets that exist, by id. One query, whatever their number."""
    with connection.cursor() as cursor:
        cursor.execute(_OUTLINES, {"tickets": list(ticket_ids)})
        return [
            TicketOutline(ticket, TicketState(state), offer, match)
            for ticket, state, offer, match in cursor.fetchall()
        ]


def look(player_id: int) -> Search | None:
    """Return what `search_of` does, for the player's own eyes: looking is a sign of life."""
    search = search_of(player_id)
    if search is not None and search.state in LIVE:
        beat(search.ticket_id)
    return search


def _searches(tickets: Sequence[Ticket]) -> list[Search]:
    """The searches of tickets that were read with their queues and ladders. Seven queries at most, for any number."""
    now, ids = clock.now(), [ticket.pk for ticket in tickets]
    live = OfferTicket.objects.filter(ticket__in=ids, live=True).select_related("offer")
    offered = {offer_ticket.ticket_id: offer_ticket for offer_ticket in live}
    offers = _offers_seen(offered, now)
    waits = estimates_near(tickets)
    found = []
    for ticket in tickets:
        queue, state, offer_ticket = ticket.queue, TicketState(ticket.state), offered.get(ticket.pk)
        heartbeat = timedelta(seconds=queue.heartbeat_seconds)
        waited = max((ticket.ended_at or now) - ticket.waiting_since, timedelta())
        found.append(
            Search(
                ticket_id=ticket.pk,
                queue_id=queue.pk,
                queue=queue.slug,
                queue_name=queue.name,
                ladder=queue.ladder.slug,
                state=state,
                party_id=ticket.party_id,
                preferences=ticket.wishes,
                waiting_since=ticket.waiting_since,
                waited=waited.total_seconds(),
                ends_at=ticket.seen_at + heartbeat if state == TicketState.WAITING else None,
                estimate=waits[ticket.pk],
                offer=offers.get(ticket.pk),
                match_id=offer_ticket.offer.match_id if offer_ticket else None,
            )
        )
    return found


def _offers_seen(offered: Mapping[int, OfferTicket], now: datetime) -> dict[int, OfferSeen]:
    """What waits for an answer, by ticket."""
    asked = {
        pk: offer_ticket
        for pk, offer_ticket in offered.items()
        if offer_ticket.offer.state == OfferState.PENDING
    }
    if not asked:
        return {}
    rows: dict[int, list[OfferTicket]] = {
        offer_ticket.offer_id: [] for offer_ticket in asked.values()
    }
    for row in OfferTicket.objects.filter(offer__in=rows).order_by("team", "ticket"):
        rows[row.offer_id].append(row)
    members = members_of({row.ticket_id for tickets in rows.values() for row in tickets})
    teams = line_ups(asked, rows, members)
    sizes = {pk: len(players) for pk, players in members.items()}
    found = {}
    for pk, offer_ticket in asked.items():
        offer, tickets = offer_ticket.offer, rows[offer_ticket.offer_id]
        found[pk] = OfferSeen(
            id=offer.pk,
            expires_at=offer.expires_at,
            seconds_left=max(offer.expires_at - now, timedelta()).total_seconds(),
            accepted=sum(sizes[row.ticket_id] for row in tickets if row.accepted_at is not None),
            of=sum(sizes[row.ticket_id] for row in tickets),
            is_accepted=offer_ticket.accepted_at is not None,
            team=offer_ticket.team,
            teams=teams[pk],
            map=offer.map,
            is_neutral=offer.is_neutral,
        )
    return found
