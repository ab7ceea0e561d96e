"""Joining a queue, staying in it, and leaving it. For the order of locks see `matchmaking.offers.close`."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import chain
from typing import Any

from django.db import IntegrityError, connection
from django.db.models import Q, QuerySet

from accounts import audit
from accounts.models import User
from events.kinds import Kind
from foundation import clock
from foundation.postgresql.transactions import briefly
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
from matchmaking.partners.ask import withdraw
from matchmaking.refusals import AlreadyMatchedError, TicketOverError
from matchmaking.tickets.characters import Choice
from matchmaking.tickets.create import Application, begin_search
from ratings.models import Match, Player
from ratings.players.own_matters import check_not_own

__all__ = [
    "BEAT",
    "THERE",
    "UNSEEN",
    "VOUCHED",
    "Choice",
    "Sign",
    "answer_still_there",
    "beat",
    "cancel",
    "check_cancel",
    "join",
]

# Whoever writes this ticket just now is no reason to wait: the next sign of life comes soon. A last one that has not
# come yet is of a clock that ran ahead. To be formatted with the ids of the `tickets`, an array in SQL; `idle` and
# `vouches` are those of a `Sign`. Who was there after being asked has answered.
_NOW = "coalesce(%(at)s::timestamptz, now())"
_WAS_THERE = f"({_NOW} - make_interval(secs => %(idle)s::float8))"  # null where that is not told
_TELLS = "(%(idle)s::float8 IS NOT NULL AND (touched_at IS NOT NULL OR NOT %(vouches)s))"
BEAT = f"""
UPDATE matchmaking_ticket
SET seen_at = {_NOW}, touched_at = CASE WHEN {_TELLS} THEN greatest(touched_at, {_WAS_THERE}) ELSE touched_at END,
    asked_at = CASE WHEN {_TELLS} AND asked_at <= {_WAS_THERE} THEN NULL ELSE asked_at END
WHERE id IN (
    SELECT ticket.id FROM matchmaking_ticket AS ticket JOIN matchmaking_queue AS queue ON queue.id = ticket.queue_id
    WHERE ticket.id = ANY({{tickets}}) AND ticket.state IN ('waiting', 'offered')
      AND (ticket.seen_at <= {_NOW} - make_interval(secs => queue.heartbeat_seconds / 4.0)
           OR ticket.seen_at > {_NOW}
           OR {_TELLS} AND (ticket.asked_at <= {_WAS_THERE} OR queue.idle_seconds IS NOT NULL AND (
               ticket.touched_at IS NULL
               OR ticket.touched_at <= {_WAS_THERE} - make_interval(secs => queue.idle_seconds / 4.0))))
    FOR NO KEY UPDATE OF ticket SKIP LOCKED
)
"""  # noqa: S608 - constants


@dataclass(frozen=True, slots=True)
class Sign:
    """A sign of life of a search, and what it tells of its players.

    idle     for how many seconds nobody has been there; None: not known
    vouches  said by a program that tells nothing of it: then the players count as there, and where nothing was known
             of them before, nothing is now
    """

    idle: float | None = None
    vouches: bool = False


# A page that is seen, or was just used; one that is hidden, or loads itself; and a program that tells nothing.
THERE, UNSEEN, VOUCHED = Sign(idle=0), Sign(), Sign(idle=0, vouches=True)


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
    by_page: bool = False,
    wants_partner: bool = False,
) -> Ticket:
    """Begin to search, alone or, as the leader of a `party`, for all of it; `by_page`: somebody is there just now.
    `wants_partner`: of the game, if nobody comes, and where it supplies any.

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
                wishes = preferences or {}
                asked = Application(
                    queue, player, party_id, wishes, choices, by_page, wants_partner
                )
                return begin_search(asked, now)
        except IntegrityError as error:
            # Another search was faster. Where that has ended meanwhile, there is room for this one.
            if "ticket_one_live_per_player" not in str(error):
                raise


def beat(*ticket_ids: int, sign: Sign = VOUCHED) -> None:
    """Note a sign of life of each, at most every quarter of the queue's heartbeat. Never waits and never refuses.

    That somebody is there is noted at once of those who are asked.
    """
    with connection.cursor() as cursor:
        given = {"tickets": list(ticket_ids), "at": clock.replaced(), **asdict(sign)}
        cursor.execute(BEAT.format(tickets="%(tickets)s"), given)


def answer_still_there(ticket_id: int) -> None:
    """Note that the players of a ticket are still there; it is paired again, with the time it has waited. One that has
    ended, as whoever did not answer in time, stays so.
    """
    with briefly() as now:
        held = Ticket.objects.select_for_update(no_key=True).filter(pk=ticket_id, state__in=LIVE)
        Ticket.objects.filter(pk__in=list(held.values_list("pk", flat=True))).update(
            seen_at=now, touched_at=now, asked_at=None
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
        won = Match.objects.filter(
            Q(offer__tickets__ticket=ticket, offer__tickets__live=True)
            | Q(partner_request__ticket=ticket)
        )
        raise AlreadyMatchedError(won.values_list("pk", flat=True).get())
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
        withdraw([ticket.pk], now)
        players, game_id = members.values_list("player", flat=True), ticket.queue.ladder.game_id
        broadcast_ticket(Kind.TICKET_CANCELLED, game_id, ticket.queue_id, ticket.pk, players)
    ticket.refresh_from_db()
    return ticket
