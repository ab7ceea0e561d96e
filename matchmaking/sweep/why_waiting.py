"""Why a ticket is not matched yet: what the next sweep of its queue would read, and what it would do."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

import numpy as np
from django.db.models import Count, Q

from foundation import timekeeping
from foundation.postgresql.transactions import one_snapshot
from matchmaking.models import Ticket, TicketState
from matchmaking.models.tickets import LIVE
from matchmaking.pairing.obstacles import Findings, look_for_obstacles
from matchmaking.pairing.tickets import Tickets
from matchmaking.playing import playing_of
from matchmaking.suspensions import suspended_tickets
from matchmaking.sweep.pairing_context import PairingContext
from matchmaking.sweep.read import read_waiting

__all__ = ["OutOfSweep", "WhyWaiting", "why_waiting"]


class OutOfSweep(StrEnum):
    """Why sweeps pass a ticket over."""

    ENDED = "ended"
    OFFERED = "offered"
    SUSPENDED = "suspended"
    SILENT = "silent"
    AWAY = "away"
    PLAYING = "playing"
    WORDS = "words"


@dataclass(frozen=True, slots=True, eq=False)
class WhyWaiting:
    """A ticket as the next sweep sees it.

    ticket    with its queue
    at        when this was read
    out       why a sweep does not ask it; None: it does
    offered   other live tickets of the queue that are being offered a match
    passed    others that wait and no sweep asks: silent, playing, suspended, or with too many words
    waiting   ids of those that it asks, as `findings` counts them
    findings  what keeps the ticket waiting; None where no sweep asks it
    """

    ticket: Ticket
    at: datetime
    out: OutOfSweep | None
    offered: int
    passed: int
    waiting: list[int]
    findings: Findings | None

    @property
    def waited(self) -> float:
        """Seconds, until it ended or was read."""
        return ((self.ticket.ended_at or self.at) - self.ticket.waiting_since).total_seconds()


def why_waiting(ticket_id: int) -> WhyWaiting:
    """Read the ticket's queue as its next sweep does, and look for what keeps the ticket waiting.

    Raises Ticket.DoesNotExist.
    """
    time = timekeeping.deadlines()  # looks at the clock, and may write down what it has seen
    with one_snapshot():
        ticket = Ticket.objects.select_related("queue__ladder").get(pk=ticket_id)
        now, queue = time.now, ticket.queue
        if ticket.state not in LIVE:
            return WhyWaiting(ticket, now, OutOfSweep.ENDED, 0, 0, [], None)
        context = PairingContext.of(queue)
        tickets, out = _asked(read_waiting(context, time), suspended_tickets(queue.pk))
        others = Ticket.objects.filter(queue=queue, state__in=LIVE).exclude(pk=ticket_id)
        live = others.aggregate(
            offered=Count("pk", filter=Q(state=TicketState.OFFERED)),
            waiting=Count("pk", filter=Q(state=TicketState.WAITING)),
        )
        is_asked = bool((tickets.id == ticket_id).any())
        reason = None if is_asked else _reason(ticket, now, is_suspended=ticket_id in out)
    findings = None
    if is_asked:
        position = int(np.flatnonzero(tickets.id == ticket_id)[0])
        findings = look_for_obstacles(tickets, context.plan, position)
    return WhyWaiting(
        ticket=ticket,
        at=now,
        out=reason,
        offered=live["offered"],
        passed=live["waiting"] - (len(tickets) - is_asked),
        waiting=tickets.id.tolist(),
        findings=findings,
    )


def _asked(tickets: Tickets, suspended: list[int]) -> tuple[Tickets, set[int]]:
    """Those that a sweep pairs, and whose search it ends first because somebody was suspended."""
    kept = ~np.isin(tickets.id, suspended)
    return (tickets if kept.all() else tickets.in_order(np.flatnonzero(kept))), set(suspended)


def _reason(ticket: Ticket, now: datetime, *, is_suspended: bool) -> OutOfSweep:
    """Why it is not among those that are read."""
    if ticket.state == TicketState.OFFERED:
        return OutOfSweep.OFFERED
    if is_suspended:
        return OutOfSweep.SUSPENDED
    if ticket.seen_at < now - timedelta(seconds=ticket.queue.heartbeat_seconds):
        return OutOfSweep.SILENT
    if ticket.asked_at is not None:
        return OutOfSweep.AWAY
    if playing_of(list(ticket.members.values_list("player", flat=True))):
        return OutOfSweep.PLAYING
    return OutOfSweep.WORDS
