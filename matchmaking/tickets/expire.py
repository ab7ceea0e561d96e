"""Ending the searches of players who have gone silent, or have not said that they are still there."""

from datetime import timedelta

from django.db.models.functions import Least

from events.kinds import Kind
from foundation import timekeeping
from foundation.postgresql.transactions import briefly
from matchmaking.broadcasts import Addressee, broadcast_tickets
from matchmaking.models import Queue, Ticket, TicketMember, TicketState
from matchmaking.models.tickets import LIVE
from matchmaking.offers.close import end_tickets
from matchmaking.partners.ask import withdraw

__all__ = ["expire_silent_tickets"]

# What is sent back fits into the buffers between server and client (see `matchmaking.offers.answer`).
_BATCH = 500


def expire_silent_tickets(queue_id: int) -> int:
    """End the waiting tickets of a queue that gave no sign of life for its heartbeat, and such as did not answer in
    time whether their players are still there: nothing is held against those. Returns how many.

    A clock that jumped ahead makes nobody silent, nor does an outage, and those who were heard from ahead of it are
    listened for anew.
    """
    if (latest := timekeeping.deadlines().latest_start) is not None:
        ahead = Ticket.objects.filter(queue=queue_id, state__in=LIVE, seen_at__gt=latest)
        if ahead.exists():  # hardly ever
            with briefly() as now:
                held = ahead.select_for_update(skip_locked=True).values_list("pk", flat=True)
                heard = Ticket.objects.filter(pk__in=list(held[:_BATCH]))
                heard.update(seen_at=now, waiting_since=Least("waiting_since", now))
    queue = Queue.objects.select_related("ladder").get(pk=queue_id)
    # Whoever was heard from exactly so long ago is offered a match still.
    after = timedelta(seconds=queue.heartbeat_seconds) + timedelta.resolution
    answer = timedelta(seconds=queue.still_there_seconds)
    return _expire(queue, "seen_at", after) + _expire(queue, "asked_at", answer)


def _expire(queue: Queue, since: str, after: timedelta) -> int:
    """End waiting tickets so long after the moment in this column; returns how many."""
    expired = 0
    while True:
        silent = timekeeping.deadlines().have_been_silent(since=since, after=after)
        # An offered ticket ends with its offer. Rows that somebody holds are looked at again a second later.
        over = Ticket.objects.filter(silent, queue=queue, state=TicketState.WAITING)
        with briefly() as now:
            # In the order of their index. By id PostgreSQL may look through all tickets there ever were.
            first = over.order_by(since).values_list("pk", flat=True)
            tickets = list(first.select_for_update(skip_locked=True)[:_BATCH])
            if not tickets:
                return expired
            end_tickets(tickets, TicketState.EXPIRED, now)
            withdraw(tickets, now)
            members = TicketMember.objects.filter(ticket__in=tickets)
            rows = members.order_by("ticket", "player").values_list("ticket", "player")
            addressees = (Addressee(queue.ladder.game_id, queue.pk, *row, 0) for row in rows)
            broadcast_tickets(addressees, Kind.TICKET_EXPIRED)
        expired += len(tickets)
