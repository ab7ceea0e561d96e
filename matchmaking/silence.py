"""Ending the searches of players who have gone silent."""

from datetime import timedelta
from typing import Any

from django.db import connection

from foundation import clock
from foundation.brief import briefly
from matchmaking.closing import end_tickets, tell_players
from matchmaking.models import Queue, TicketMember, TicketState

__all__ = ["expire_silent_tickets"]

# An offered ticket ends with its offer. Rows that somebody holds are looked at again a second later.
_SILENT = """
SELECT id FROM matchmaking_ticket
WHERE queue_id = %(queue)s AND state = 'waiting' AND seen_at < %(seen_since)s
LIMIT %(limit)s FOR UPDATE SKIP LOCKED
"""
# What is sent back fits into the buffers between server and client (see `matchmaking.offers`).
_BATCH = 500


def expire_silent_tickets(queue_id: int) -> int:
    """End the waiting tickets of a queue that gave no sign of life for its heartbeat; returns how many."""
    heartbeats = Queue.objects.values_list("heartbeat_seconds", flat=True)
    heartbeat = timedelta(seconds=heartbeats.get(pk=queue_id))
    expired = 0
    while batch := _expire_batch(queue_id, heartbeat):
        expired += batch
    return expired


def _expire_batch(queue_id: int, heartbeat: timedelta) -> int:
    now = clock.now()
    given: dict[str, Any] = {"queue": queue_id, "seen_since": now - heartbeat, "limit": _BATCH}
    with briefly(), connection.cursor() as cursor:
        cursor.execute(_SILENT, given)
        tickets = [pk for (pk,) in cursor.fetchall()]
        if tickets:
            end_tickets(tickets, TicketState.EXPIRED, now)
            members = TicketMember.objects.filter(ticket__in=tickets)
            tell_players(members.values_list("player", flat=True), "ticket.expired")
    return len(tickets)
