"""Asking a game for a partner where nobody has come, and taking that back.

A request changes only under the lock of its ticket. Tickets come before requests in the order of locks.
"""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from django.db.models import Count, Exists, OuterRef, Q

from events.kinds import Kind
from events.live import Message, broadcast_all
from foundation import timekeeping
from foundation.postgresql.transactions import briefly
from matchmaking.broadcasts import topics_of
from matchmaking.models import (
    PartnerRequest,
    PartnerState,
    Queue,
    Ticket,
    TicketMember,
    TicketState,
)
from matchmaking.models.tickets import LIVE
from matchmaking.partners.refusals import NoPartnerError

__all__ = ["end_held", "tell", "tend", "want", "withdraw"]

_BATCH = 500
_KINDS = {
    PartnerState.ASKED: Kind.PARTNER_ASKED,
    PartnerState.ACCEPTED: Kind.PARTNER_ACCEPTED,
    PartnerState.DECLINED: Kind.PARTNER_DECLINED,
    PartnerState.EXPIRED: Kind.PARTNER_EXPIRED,
    PartnerState.WITHDRAWN: Kind.PARTNER_WITHDRAWN,
}


def want(*, ticket_id: int, wants: bool) -> None:
    """Note whether the players of a search want a partner of the game if nobody comes. Where they have waited long
    enough the game is asked at once; who wants none any more has the request withdrawn. A search that is over stays so.

    Raises NoPartnerError where the game is never asked for such a search, and Ticket.DoesNotExist.
    """
    with briefly() as now:
        held = Ticket.objects.select_for_update(of=("self",), no_key=True)
        ticket = held.select_related("queue__ladder").get(pk=ticket_id)
        if wants and not (ticket.queue.partner_seconds and _fitting(ticket.queue, [ticket_id])):
            raise NoPartnerError(ticket.queue)
        if ticket.state not in LIVE:
            return
        Ticket.objects.filter(pk=ticket_id).update(wants_partner=wants)
        if wants:
            _ask(ticket.queue, now, [ticket_id])
        else:
            withdraw([ticket_id], now)


def tend(queue_id: int) -> int:
    """Close the requests of a queue that are over, and ask for the searches that have waited long enough; returns for
    how many. One query where the queue has neither.
    """
    asked = PartnerRequest.objects.filter(ticket__queue=queue_id, state=PartnerState.ASKED)
    supplies = Q(partner_seconds__isnull=False) | Exists(asked)
    queue = Queue.objects.filter(supplies, pk=queue_id).select_related("ladder__game").first()
    if queue is None:
        return 0
    is_over = timekeeping.deadlines().are_over(began="asked_at", ends="expires_at")
    is_needless = ~Q(ticket__state=TicketState.WAITING)
    if queue.partner_seconds is None or queue.is_archived:
        is_needless = Q()
    for over, state in ((is_needless, PartnerState.WITHDRAWN), (is_over, PartnerState.EXPIRED)):
        due = list(asked.filter(over).order_by("expires_at").values_list("ticket", flat=True))
        for start in range(0, len(due), _BATCH):
            with briefly() as now:
                # Whoever holds one of these is about to change it: it is looked at again a second later.
                tickets = Ticket.objects.filter(pk__in=due[start : start + _BATCH]).order_by("pk")
                held = tickets.select_for_update(no_key=True, skip_locked=True)
                ids = list(held.values_list("pk", flat=True))
                still = asked.filter(over, ticket__in=ids)
                end_held(still.values_list("ticket", flat=True), state, now)
    if queue.partner_seconds is None or queue.is_archived:
        return 0
    with briefly() as now:
        return _ask(queue, now)


def withdraw(ticket_ids: Collection[int], now: datetime) -> None:
    """Take back what a game was asked for tickets that the caller holds. One query mostly."""
    end_held(ticket_ids, PartnerState.WITHDRAWN, now)


def end_held(ticket_ids: Collection[int], state: PartnerState, now: datetime) -> None:
    """End the open requests of tickets that the caller holds, and tell of it."""
    asked = PartnerRequest.objects.filter(ticket__in=list(ticket_ids), state=PartnerState.ASKED)
    ids = list(asked.values_list("pk", flat=True))
    if ids:
        PartnerRequest.objects.filter(pk__in=ids).update(state=state, ended_at=now)
        tell(ids)


def tell(request_ids: Sequence[int]) -> None:
    """Tell the players of each request, and the servers of their game, how it stands now."""
    found = PartnerRequest.objects.filter(pk__in=request_ids).select_related(
        "ticket__queue__ladder"
    )
    players: dict[int, list[int]] = {one.ticket_id: [] for one in found}
    members = TicketMember.objects.filter(ticket__in=players).order_by("player")
    for ticket, player in members.values_list("ticket", "player"):
        players[ticket].append(player)
    messages = []
    for one in sorted(found, key=lambda one: one.pk):
        queue, own = one.ticket.queue, players[one.ticket_id]
        ids = {"ticket": one.ticket_id, "queue": queue.pk, "request": one.pk}
        ids |= {} if one.match_id is None else {"match": one.match_id}
        topics = tuple(topics_of(queue.ladder.game_id, own))
        messages.append(Message(topics, _KINDS[PartnerState(one.state)], ids, tuple(own)))
    broadcast_all(messages)


def _ask(queue: Queue, now: datetime, of: Sequence[int] | None = None) -> int:
    """Ask for the tickets of a queue that are due, or for those `of` them; returns for how many."""
    after = timedelta(seconds=queue.partner_seconds or 0)
    time = timekeeping.deadlines()
    refused = Q(state__in=[PartnerState.DECLINED, PartnerState.EXPIRED], ended_at__gt=now - after)
    lately = PartnerRequest.objects.filter(
        Q(state=PartnerState.ASKED) | refused, ticket=OuterRef("pk")
    )
    due = Ticket.objects.filter(
        ~Exists(lately),
        time.are_over(began="waiting_since", ends="waiting_since", after=after),
        queue=queue,
        state=TicketState.WAITING,
        wants_partner=True,
        asked_at__isnull=True,
    )
    if queue.idle_seconds is not None:  # who is away would not be there for the match
        idle = timedelta(seconds=queue.idle_seconds)
        away = time.are_over(began="touched_at", ends="touched_at", after=idle)
        due = due.exclude(Q(touched_at__isnull=False) & away)
    if of is not None:
        due = due.filter(pk__in=of)
    fitting = _fitting(queue, due.order_by("pk").values_list("pk", flat=True)[:_BATCH])
    if not fitting:
        return 0
    held = due.filter(pk__in=fitting).order_by("pk")
    held = held.select_for_update(of=("self",), no_key=True, skip_locked=True)
    until = now + timedelta(seconds=queue.partner_answer_seconds)
    made = PartnerRequest.objects.bulk_create(
        [
            PartnerRequest(ticket_id=pk, asked_at=now, expires_at=until)
            for pk in held.values_list("pk", flat=True)
        ],
        ignore_conflicts=True,  # another process was faster: one request is open for a ticket
    )
    asked = PartnerRequest.objects.filter(
        ticket__in=[one.ticket_id for one in made], state=PartnerState.ASKED, asked_at=now
    )
    tell(list(asked.values_list("pk", flat=True)))
    return len(made)


def _fitting(queue: Queue, ticket_ids: Collection[int]) -> list[int]:
    """Those of these tickets whose players are one whole team of two: the partner is the other."""
    ladder = queue.ladder
    ids = list(ticket_ids)
    if ladder.team_count != 2 or not ids:
        return []
    sizes = TicketMember.objects.filter(ticket__in=ids).values("ticket").annotate(n=Count("pk"))
    return list(sizes.filter(n=ladder.team_size).order_by().values_list("ticket", flat=True))
