"""Joining a queue, staying in it, and leaving it. For the order of locks see `matchmaking.closing`."""

from dataclasses import dataclass

from django.db import IntegrityError, connection

from accounts import audit
from accounts.models import User
from foundation import clock
from foundation.brief import briefly
from matchmaking.closing import decline_held_offer, end_tickets, lock_seats, tell_players
from matchmaking.models import Offer, OfferTicket, Queue, Ticket, TicketMember, TicketState
from matchmaking.models.tickets import LIVE
from matchmaking.refusals import (
    AlreadyMatchedError,
    AlreadySearchingError,
    NotPairedError,
    QueueClosedError,
    TicketOverError,
    WrongGameError,
)
from ratings.models import Participant, Player
from ratings.starting import AlreadyPlayingError

__all__ = ["beat", "cancel", "join", "leave"]

# Whoever writes this ticket just now is no reason to wait: the next sign of life comes soon.
_BEAT = """
UPDATE matchmaking_ticket SET seen_at = %(now)s WHERE id = (
    SELECT ticket.id FROM matchmaking_ticket AS ticket JOIN matchmaking_queue AS queue ON queue.id = ticket.queue_id
    WHERE ticket.id = %(ticket)s AND ticket.state IN ('waiting', 'offered')
      AND ticket.seen_at <= %(now)s - make_interval(secs => queue.heartbeat_seconds / 4.0)
    FOR NO KEY UPDATE OF ticket SKIP LOCKED
)
"""


class _OfferedMeanwhileError(Exception):
    """A sweep was faster: the offer has to be locked before the ticket."""


def join(*, queue: Queue, player: Player) -> Ticket:
    """Begin to search.

    Raises QueueClosedError, NotPairedError, WrongGameError, AlreadySearchingError, AlreadyPlayingError.
    """
    while True:
        _check(queue, player)
        try:
            with briefly():
                ticket = _insert(queue, player)
                # Only now: a match that was about to begin has kept the insertion waiting.
                _check_not_playing(player)
        except IntegrityError as error:
            # Another search was faster. Where that has ended meanwhile, there is room for this one.
            if "ticket_one_live_per_player" not in str(error):
                raise
            continue
        return ticket


def beat(*, ticket_id: int) -> None:
    """Note a sign of life, at most every quarter of the queue's heartbeat. Never waits and never refuses."""
    with connection.cursor() as cursor:
        cursor.execute(_BEAT, {"ticket": ticket_id, "now": clock.now()})


def leave(*, ticket_id: int) -> Ticket:
    """Cancel a search; an offer that waits for an answer is declined with it.

    Once this has returned, no match comes of the ticket. A ticket that has ended otherwise is given back as it is.
    Raises AlreadyMatchedError when the match won, and Ticket.DoesNotExist.
    """
    return _leave_surely(ticket_id)


def cancel(*, ticket_id: int, by: User, note: str) -> Ticket:
    """End a search in place of its players, as an operator. Audited.

    Raises what `leave` raises, and TicketOverError for a search that has ended otherwise.
    """
    return _leave_surely(ticket_id, Cause(by, note))


@dataclass(frozen=True, slots=True)
class Cause:
    """Which operator ends a search, and why."""

    by: User
    note: str


def _leave_surely(ticket_id: int, cause: Cause | None = None) -> Ticket:
    while True:
        try:
            with briefly():
                return _leave(ticket_id, cause)
        except _OfferedMeanwhileError:
            continue


def _check(queue: Queue, player: Player) -> None:
    present = Queue.objects.select_related("ladder").get(pk=queue.pk)
    if not present.is_open:
        raise QueueClosedError(present.slug)
    if (present.ladder.team_count, present.ladder.team_size) != (2, 1):
        raise NotPairedError(present.slug)
    if present.ladder.game_id != player.game_id:
        raise WrongGameError(player.pk)
    if (ticket := _live_ticket(player)) is not None:
        raise AlreadySearchingError(ticket)
    _check_not_playing(player)


def _insert(queue: Queue, player: Player) -> Ticket:
    now = clock.now()
    ticket = Ticket.objects.create(queue=queue, waiting_since=now, seen_at=now)
    TicketMember.objects.create(ticket=ticket, player=player)
    tell_players([player.pk], "ticket.waiting", ticket=ticket.pk)
    return ticket


def _live_ticket(player: Player) -> int | None:
    members = TicketMember.objects.filter(player=player, live=True)
    return members.values_list("ticket_id", flat=True).first()


def _check_not_playing(player: Player) -> None:
    playing = Participant.objects.filter(player=player, playing=True)
    if (match := playing.values_list("match_id", flat=True).first()) is not None:
        raise AlreadyPlayingError(player.pk, match)


def _leave(ticket_id: int, cause: Cause | None) -> Ticket:
    offer = _lock_live_offer(ticket_id)
    seats = [] if offer is None else lock_seats([offer.pk])
    ticket = Ticket.objects.select_for_update().get(pk=ticket_id)
    is_held = any(seat.ticket_id == ticket_id for seat in seats)
    if ticket.state == TicketState.OFFERED and not is_held:
        raise _OfferedMeanwhileError
    if ticket.state == TicketState.MATCHED:
        raise AlreadyMatchedError(_match_of(ticket))
    if cause is not None:
        _audit(ticket, cause)
    if offer is not None and ticket.state == TicketState.OFFERED:
        decline_held_offer(offer, seats, ticket_id, clock.now())
    elif ticket.state == TicketState.WAITING:
        _cancel(ticket_id)
    ticket.refresh_from_db()
    return ticket


def _audit(ticket: Ticket, cause: Cause) -> None:
    """Write down who ends the search; raise TicketOverError if it has ended already."""
    if ticket.state not in LIVE:
        raise TicketOverError(ticket.state)
    audit.record(
        actor=cause.by,
        action="ticket.cancelled",
        target=ticket,
        before={"state": str(ticket.state)},
        after={"state": TicketState.CANCELLED.value},
        note=cause.note,
    )


def _lock_live_offer(ticket_id: int) -> Offer | None:
    offers = Offer.objects.filter(tickets__ticket=ticket_id, tickets__live=True)
    return offers.select_for_update(of=("self",)).select_related("queue").first()


def _cancel(ticket_id: int) -> None:
    end_tickets([ticket_id], TicketState.CANCELLED, clock.now())
    members = TicketMember.objects.filter(ticket=ticket_id)
    tell_players(members.values_list("player", flat=True), "ticket.cancelled", ticket=ticket_id)


def _match_of(ticket: Ticket) -> int:
    seat = OfferTicket.objects.select_related("offer").get(ticket=ticket, live=True)
    return seat.offer.match_id or 0
