"""Ending the searches of players who have gone silent."""

from datetime import datetime, timedelta

from django.db.models.functions import Least

from foundation import clock, timekeeping
from foundation.transactions import briefly
from matchmaking.models import Queue, Ticket, TicketMember, TicketState
from matchmaking.models.tickets import LIVE
from matchmaking.offers.close import Told, end_tickets, tell_tickets

__all__ = ["expire_silent_tickets"]

# What is sent back fits into the buffers between server and client (see `matchmaking.offers.answer`).
_BATCH = 500


def expire_silent_tickets(queue_id: int) -> int:
    """End the waiting tickets of a queue that gave no sign of life for its heartbeat; returns how many.

    A clock that jumped ahead makes nobody silent, and those who were heard from ahead of it are listened for anew.
    """
    if (latest := timekeeping.deadlines().latest_start) is not None:
        _hear_anew(queue_id, latest)
    queue = Queue.objects.select_related("ladder").get(pk=queue_id)
    expired = 0
    while batch := _expire_batch(queue):
        expired += batch
    return expired


def _expire_batch(queue: Queue) -> int:
    heartbeat = timedelta(seconds=queue.heartbeat_seconds)
    time = timekeeping.deadlines()
    # Whoever was heard from exactly so long ago is offered a match still.
    is_silent = time.are_over(
        began="seen_at", ends="seen_at", after=heartbeat + timedelta.resolution
    )
    # An offered ticket ends with its offer. Rows that somebody holds are looked at again a second later.
    silent = Ticket.objects.filter(is_silent, queue=queue, state=TicketState.WAITING)
    with briefly():
        held = silent.select_for_update(skip_locked=True).values_list("pk", flat=True)
        tickets = list(held[:_BATCH])
        if tickets:
            end_tickets(tickets, TicketState.EXPIRED, clock.now())
            members = TicketMember.objects.filter(ticket__in=tickets)
            rows = members.order_by("ticket", "player").values_list("ticket", "player")
            told = (Told(queue.ladder.game_id, queue.pk, *row) for row in rows)
            tell_tickets(told, "ticket.expired")
    return len(tickets)


def _hear_anew(queue_id: int, latest: datetime) -> None:
    """Let whoever was last heard from after this moment, which has not come yet, be heard from now."""
    ahead = Ticket.objects.filter(queue=queue_id, state__in=LIVE, seen_at__gt=latest)
    if not ahead.exists():  # as nearly always
        return
    with briefly():
        now = clock.now()
        held = ahead.select_for_update(skip_locked=True).values_list("pk", flat=True)
        tickets = Ticket.objects.filter(pk__in=list(held[:_BATCH]))
        tickets.update(seen_at=now, waiting_since=Least("waiting_since", now))
