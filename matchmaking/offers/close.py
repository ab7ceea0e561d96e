"""Bringing offers and tickets to their end: statements over many at once, for callers that hold the offers' rows.

Locks are taken in this order, everywhere, so that nobody waits in a circle: a party's row, the queue's row, offers by
id, tickets by id, then the rows of `ratings`. Whoever holds a ticket and finds that its offer is needed lets go and
begins anew. A ticket that is offered a match changes only under the lock of its offer. Rows taken with SKIP LOCKED
(`expire_offers` in `answer.py`, `matchmaking.tickets.expire`) are the exception, and come in the order of their index:
who takes them waits for nobody there.
"""

from collections.abc import Collection, Container, Iterable, Set
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from events.announcement import ANNOUNCED, Announcement
from events.kinds import Kind
from foundation.postgresql.prepared import prepared
from foundation.timekeeping import Deadlines
from matchmaking.broadcasts import Addressee, broadcast_tickets, topics_of
from matchmaking.conduct.charge import Charge, charge
from matchmaking.models import OffenceKind, Offer, OfferState, OfferTicket, Ticket, TicketState
from matchmaking.offers.metrics import count_offers

__all__ = [
    "OfferPlayer",
    "announcement_to_offer",
    "conclude_offer",
    "decline_held_offer",
    "end_tickets",
    "expire_held_offers",
    "fail_held_offer",
    "lock_players",
    "own_will",
]

_PLAYERS = """
SELECT ladder.game_id, queue.id, ticket.id, member.player_id, offered.offer_id, offered.team,
       offered.accepted_at IS NOT NULL, ticket.waiting_since, member.character, member.reported_as_id,
       standing.cooling_until
FROM matchmaking_offerticket AS offered
JOIN matchmaking_ticket AS ticket ON ticket.id = offered.ticket_id
JOIN matchmaking_ticketmember AS member ON member.ticket_id = ticket.id
JOIN matchmaking_queue AS queue ON queue.id = ticket.queue_id
JOIN ratings_ladder AS ladder ON ladder.id = queue.ladder_id
LEFT JOIN matchmaking_conductstanding AS standing ON standing.player_id = member.player_id
WHERE offered.offer_id = ANY(%(offers)s) AND offered.live
ORDER BY ticket.id, member.player_id FOR UPDATE OF ticket
"""
# By ids alone: how many tickets are live just now changes faster than the statistics that plans are made from.
_END = """
ended AS (UPDATE matchmaking_ticket SET state = %(state)s, ended_at = %(now)s WHERE id = ANY(%(tickets)s))
"""
_FREE = "UPDATE matchmaking_ticketmember SET live = false WHERE ticket_id = ANY(%(tickets)s)"
_END_TICKETS = f"WITH {_END} {_FREE}"
_CONCLUDE = f"""
WITH concluded AS (UPDATE matchmaking_offer SET state = 'accepted', match_id = %(match)s WHERE id = %(offer)s),
{_END}, freed AS ({_FREE}), {ANNOUNCED}
"""  # noqa: S608


@dataclass(frozen=True, slots=True)
class OfferPlayer(Addressee):
    """One player of an offer; a party has several on one ticket. `character`: chosen before the search, or empty.
    `reported_as`: the merged player under whom the search came, if any.

    `cooling_until`: until when the player cools off, or did last.
    """

    team: int
    has_accepted: bool
    waiting_since: datetime
    character: str
    reported_as: int | None
    cooling_until: datetime | None

    def cools_at(self, now: datetime) -> bool:
        """Whether the player cools off, and may not accept."""
        return self.cooling_until is not None and self.cooling_until > now


def lock_players(offer_ids: Collection[int]) -> list[OfferPlayer]:
    """Lock the tickets of live offers; returns the players on them, ordered by ticket."""
    with prepared() as cursor:
        cursor.execute(_PLAYERS, {"offers": list(offer_ids)})
        return [OfferPlayer(*row) for row in cursor.fetchall()]


def own_will(players: Iterable[OfferPlayer], ticket_id: int, player: int | None) -> set[int]:
    """Who declines where a ticket does: the player who says so, if on it; all of it where it is not known who."""
    on_it = {one.player_id for one in players if one.ticket_id == ticket_id}
    return on_it if player is None else on_it & {player}


def end_tickets(ticket_ids: Collection[int], state: TicketState, now: datetime) -> None:
    """End tickets that the caller holds; their players may search again."""
    given: dict[str, Any] = {"tickets": list(ticket_ids), "state": state.value, "now": now}
    with prepared() as cursor:
        cursor.execute(_END_TICKETS, given)


def conclude_offer(
    offer: Offer, players: Collection[OfferPlayer], match_id: int, now: datetime
) -> None:
    """Let an offer that all have accepted end in its match."""
    offer.state, offer.match_id = OfferState.ACCEPTED, match_id
    told = announcement_to_offer(offer, players, Kind.OFFER_ACCEPTED)
    given: dict[str, Any] = {
        "offer": offer.pk,
        "match": match_id,
        "tickets": sorted({one.ticket_id for one in players}),
        "state": TicketState.MATCHED.value,
        "now": now,
    }
    with prepared() as cursor:
        cursor.execute(_CONCLUDE, {**given, **told.given})
        told.written(cursor.fetchone())


def announcement_to_offer(offer: Offer, players: Iterable[OfferPlayer], kind: Kind) -> Announcement:
    """What its players and the servers of their game are told of an offer, to be written with what has happened."""
    game_id = offer.queue.ladder.game_id
    topics = topics_of(game_id, (one.player_id for one in players))
    return Announcement(kind, [], topics, {"offer": offer.pk})


def decline_held_offer(
    offer: Offer,
    players: Collection[OfferPlayer],
    ticket_id: int,
    now: datetime,
    *,
    charged: Container[int] = (),
) -> None:
    """Close a pending offer that one of its tickets does not want: that one has ended, the others wait on.

    `charged`: who has declined by its own will, of the ticket's players.
    """
    mine = OfferTicket.objects.filter(offer=offer, ticket=ticket_id)
    mine.update(accepted_at=None, declined_at=now)
    end_tickets([ticket_id], TicketState.CANCELLED, now)
    _close(players, OfferState.DECLINED, ended={ticket_id})
    count_offers(offer.queue.slug, "declined")
    own = [one for one in players if one.ticket_id == ticket_id and one.player_id in charged]
    _charge(own, OffenceKind.DECLINED, now)
    broadcast_tickets(players, Kind.OFFER_DECLINED)


def expire_held_offers(offer_ids: Collection[int], now: datetime, time: Deadlines) -> None:
    """Close offers whose time is over: whoever has not answered has ended. That is held against them, of a party
    against its leader, unless the site was away for part of it: they may have tried.
    """
    players = lock_players(offer_ids)
    ended = {one.ticket_id for one in players if not one.has_accepted}
    end_tickets(ended, TicketState.EXPIRED, now)
    _close(players, OfferState.EXPIRED, ended=ended)
    excused = _open_in_outage(offer_ids, time)
    # Of a party its leader answers, who has begun the search: a member may never have seen what was offered.
    leaders = dict(
        Ticket.objects.filter(pk__in=ended, party__isnull=False).values_list("pk", "party__leader")
    )
    silent = [
        one
        for one in players
        if one.ticket_id in ended
        and one.offer_id not in excused
        and one.player_id == leaders.get(one.ticket_id, one.player_id)
    ]
    _charge(silent, OffenceKind.SILENT, now)
    broadcast_tickets(players, Kind.OFFER_EXPIRED)


def fail_held_offer(
    offer: Offer, players: Collection[OfferPlayer], out: Container[int], now: datetime
) -> None:
    """Close an offer whose match could not begin: whoever is `out` of it has ended, the others wait on."""
    ended = {one.ticket_id for one in players if one.player_id in out}
    end_tickets(ended, TicketState.CANCELLED, now)
    _close(players, OfferState.DECLINED, ended=ended)
    count_offers(offer.queue.slug, "failed")
    broadcast_tickets(players, Kind.OFFER_DECLINED)


def _open_in_outage(offer_ids: Collection[int], time: Deadlines) -> Set[int]:
    """Which of these offers waited for answers while the site heard none."""
    if time.outage is None:
        return frozenset()
    rows = Offer.objects.filter(pk__in=offer_ids).values_list("pk", "created_at", "expires_at")
    return {pk for pk, began, ended in rows if time.was_out(began=began, ended=ended)}


def _close(players: Iterable[OfferPlayer], state: OfferState, *, ended: Set[int]) -> None:
    """Close the offers of these players. Their tickets that have not ended wait on, with the wait they had."""
    offers = {one.offer_id for one in players}
    waiting = {one.ticket_id for one in players} - ended
    Ticket.objects.filter(pk__in=waiting).update(state=TicketState.WAITING)
    OfferTicket.objects.filter(offer__in=offers).update(live=False)
    Offer.objects.filter(pk__in=offers).update(state=state)


def _charge(players: Collection[OfferPlayer], kind: OffenceKind, now: datetime) -> None:
    """Write down what these have done to those who were offered a match with them."""
    charges = [
        Charge(player_id=one.player_id, kind=kind, at=now, offer=one.offer_id) for one in players
    ]
    charge(charges, now)
