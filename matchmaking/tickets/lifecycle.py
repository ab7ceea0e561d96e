"""Joining a queue, staying in it, and leaving it. For the order of locks see `matchmaking.offers.close`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Any

from django.db import IntegrityError, connection
from django.db.models import QuerySet

from accounts import audit
from accounts.models import User
from events.kinds import Kind
from foundation import clock
from foundation.transactions import briefly
from matchmaking.broadcasts import broadcast_ticket
from matchmaking.models import (
    Offer,
    OfferState,
    OfferTicket,
    Party,
    Queue,
    Ticket,
    TicketMember,
    TicketState,
)
from matchmaking.models.tickets import LIVE
from matchmaking.offers.close import decline_held_offer, end_tickets, lock_players, own_will
from matchmaking.refusals import AlreadyMatchedError, TicketOverError
from matchmaking.tickets.create import Application, Choice, begin_search
from ratings.models import Player
from ratings.players.own_matters import check_not_own

__all__ = ["BEAT", "Choice", "beat", "cancel", "check_cancel", "join"]

# Whoever writes this ticket just now is no reason to wait: the next sign of life comes soon. A last one that has not
# come yet is of a clock that ran ahead. To be formatted with the ids of the `tickets`, an array in SQL.
BEAT = """
UPDATE matchmaking_ticket SET seen_at = coalesce(%(at)s::timestamptz, now()) WHERE id IN (
    SELECT ticket.id FROM matchmaking_ticket AS ticket JOIN matchmaking_queue AS queue ON queue.id = ticket.queue_id
    WHERE ticket.id = ANY({tickets}) AND ticket.state IN ('waiting', 'offered')
      AND (ticket.seen_at <= coalesce(%(at)s::timestamptz, now()) - make_interval(secs => queue.heartbeat_seconds / 4.0)
           OR ticket.seen_at > coalesce(%(at)s::timestamptz, now()))
    FOR NO KEY UPDATE OF ticket SKIP LOCKED
)
"""


@dataclass(frozen=True, slots=True)
class _Wish:
    """Who wants a search to end, and why. See `cancel`."""

    by: User | None
    note: str
    declines: bool
    player: int | None


class _OfferedMeanwhileError(Exception):
    """A sweep was faster: the offer has to be locked before the ticket."""


def join(
    *,
    queue: Queue,
    player: Player,
    party: Party | int | None = None,
    preferences: Mapping[str, Any] | None = None,
    character: str = "",
    roles: Sequence[str] = (),
    others: Mapping[int, Choice] | None = None,
) -> Ticket:
    """Begin to search, alone or, as the leader of a `party`, for all of it.

    preferences       see `matchmaking.tickets.preferences`
    character, roles  what the player has chosen for the match; of the party's other members, by player id, in `others`

    Raises UnknownQueueError, ArchivedError, QueueClosedError, WrongGameError, AlreadySearchingError,
    AlreadyPlayingError, TooManyDisputesError, SuspendedError, CoolingOffError and WrongPreferencesError; of a party
    also NotAvailableError, PartyOverError, NotInPartyError, NotLeaderError, PartyTooLargeError, MemberSearchingError,
    MemberPlayingError and MemberDisputesError.
    """
    party_id = party.pk if isinstance(party, Party) else party
    choices = {**(others or {}), player.pk: Choice(character, roles)}
    while True:
        try:
            with briefly() as now:
                asked = Application(queue, player, party_id, preferences or {}, choices)
                return begin_search(asked, now)
        except IntegrityError as error:
            # Another search was faster. Where that has ended meanwhile, there is room for this one.
            if "ticket_one_live_per_player" not in str(error):
                raise


def beat(*ticket_ids: int) -> None:
    """Note a sign of life of each, at most every quarter of the queue's heartbeat. Never waits and never refuses."""
    with connection.cursor() as cursor:
        cursor.execute(
            BEAT.format(tickets="%(tickets)s"),
            {"tickets": list(ticket_ids), "at": clock.replaced()},
        )


def cancel(
    *,
    ticket_id: int,
    by: User | None = None,
    note: str = "",
    declines: bool = False,
    player: int | None = None,
) -> Ticket:
    """Cancel a search; an offer that waits for an answer is declined with it. `by` an operator it is audited.

    Where it `declines` by its own will, what is offered is held against the `player` as by `offers.answer.decline`.

    Once this has returned, no match comes of the ticket. A ticket that has ended otherwise is given back as it is,
    but to operators. Raises AlreadyMatchedError when the match won, Ticket.DoesNotExist, and to operators
    TicketOverError and OwnMatterError.
    """
    while True:
        try:
            with briefly() as now:
                return _cancel(ticket_id, _Wish(by, note, declines, player), now)
        except _OfferedMeanwhileError:
            continue


def check_cancel(
    by: User | None, tickets: QuerySet[Ticket], *, right: str = "matchmaking.change_ticket"
) -> None:
    """Raise OwnMatterError where one of the searches is offered a match with an own player on another ticket: nobody
    dodges an opponent so. Their own search operators may end, as players do.
    """
    if by is None:
        return
    seats = OfferTicket.objects.filter(
        ticket__in=tickets, live=True, offer__state=OfferState.PENDING
    )
    members = TicketMember.objects.filter(
        ticket__offers__live=True, ticket__offers__offer__in=seats.values("offer")
    )
    met = set(members.exclude(ticket__in=tickets).values_list("player", flat=True))
    check_not_own(by, met, right=right)


def _cancel(ticket_id: int, wish: _Wish, now: datetime) -> Ticket:
    """Cancel a search as far as it can be; by an operator, who is written down."""
    by, note = wish.by, wish.note
    live = Offer.objects.filter(tickets__ticket=ticket_id, tickets__live=True)
    offer = live.select_for_update(of=("self",)).select_related("queue").first()
    held = [] if offer is None else lock_players([offer.pk])
    tickets = Ticket.objects.select_for_update(of=("self",)).select_related("queue__ladder")
    ticket = tickets.get(pk=ticket_id)
    is_held = any(player.ticket_id == ticket_id for player in held)
    if ticket.state == TicketState.OFFERED and not is_held:
        raise _OfferedMeanwhileError
    if ticket.state == TicketState.MATCHED:
        won = OfferTicket.objects.select_related("offer").get(ticket=ticket, live=True)
        raise AlreadyMatchedError(won.offer.match_id or 0)
    members = TicketMember.objects.filter(ticket=ticket)
    if by is not None:
        if ticket.state not in LIVE:
            raise TicketOverError(ticket.state)
        check_cancel(by, Ticket.objects.filter(pk=ticket_id))
        # The note may name them, and stays longer than the ticket: whoever is deleted has to be found in it.
        named = chain(*members.values_list("player", "reported_as"))
        audit.record(
            actor=by,
            action="ticket.cancelled",
            target=ticket,
            before={"state": str(ticket.state), "players": sorted({*named} - {None})},
            after={"state": TicketState.CANCELLED.value},
            note=note,
        )
    if offer is not None and ticket.state == TicketState.OFFERED:
        charged = own_will(held, ticket_id, wish.player) if wish.declines else set[int]()
        decline_held_offer(offer, held, ticket_id, now, charged=charged)
    elif ticket.state == TicketState.WAITING:
        end_tickets([ticket.pk], TicketState.CANCELLED, now)
        players, game_id = members.values_list("player", flat=True), ticket.queue.ladder.game_id
        broadcast_ticket(Kind.TICKET_CANCELLED, game_id, ticket.queue_id, ticket.pk, players)
    ticket.refresh_from_db()
    return ticket
