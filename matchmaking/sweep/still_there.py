"""Asking “Still there?”: whoever has been away from all pages for long is asked before a match is offered to others."""

from collections.abc import Collection
from datetime import datetime, timedelta

from events.kinds import Kind
from foundation import timekeeping
from matchmaking.broadcasts import Addressee, broadcast_tickets
from matchmaking.models import Queue, Ticket, TicketMember
from notifications.models import PushSubscription
from notifications.tell import tell

__all__ = ["ask_idle"]


def ask_idle(queue: Queue, ticket_ids: Collection[int], now: datetime) -> list[int]:
    """Ask the players of those of these held, waiting tickets of which nobody was there for long; returns which.

    A clock that jumped ahead makes nobody idle. The matches of these tickets are not offered; the others look on.
    """
    after = timedelta(seconds=queue.idle_seconds or 0)
    idle = timekeeping.deadlines().are_over(began="touched_at", ends="touched_at", after=after)
    found = Ticket.objects.filter(idle, pk__in=ticket_ids).order_by("pk")
    asked = list(found.values_list("pk", flat=True))
    if asked:
        Ticket.objects.filter(pk__in=asked).update(asked_at=now)
        members = TicketMember.objects.filter(ticket__in=asked).order_by("ticket", "player")
        rows = list(members.values_list("ticket", "player"))
        game = queue.ladder.game_id
        addressees = (Addressee(game, queue.pk, *row, 0) for row in rows)
        broadcast_tickets(addressees, Kind.TICKET_ASKED)
        if PushSubscription.objects.exists():  # else nobody wants it
            data = {"queue": queue.slug, "queue_name": queue.name}
            tell("ticket.asked", [player for _ticket, player in rows], data=data)
    return asked
