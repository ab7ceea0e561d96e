"""Ending the searches of players who have gone silent."""

from django.db import connection

from foundation import clock
from foundation.brief import briefly
from matchmaking.closing import end_tickets, tell_players
from matchmaking.models import TicketState

__all__ = ["expire_silent_tickets"]

# An offered ticket ends with its offer. Rows that somebody holds are looked at again a second later.
_SILENT = """
SELECT ticket.id, member.player_id
FROM matchmaking_ticket AS ticket
JOIN matchmaking_queue AS queue ON queue.id = ticket.queue_id
JOIN matchmaking_ticketmember AS member ON member.ticket_id = ticket.id
WHERE ticket.queue_id = %(queue)s AND ticket.state = 'waiting'
  AND ticket.seen_at < %(now)s - make_interval(secs => queue.heartbeat_seconds)
ORDER BY ticket.id LIMIT %(limit)s FOR UPDATE OF ticket SKIP LOCKED
"""
# What is sent back fits into the buffers between server and client (see `matchmaking.offers`).
_BATCH = 500


def expire_silent_tickets(queue_id: int) -> int:
    """End the waiting tickets of a queue that gave no sign of life for its heartbeat; returns how many."""
    expired = 0
    while batch := _expire_batch(queue_id):
        expired += batch
    return expired


def _expire_batch(queue_id: int) -> int:
    now = clock.now()
    with briefly(), connection.cursor() as cursor:
        cursor.execute(_SILENT, {"queue": queue_id, "now": now, "limit": _BATCH})
        players = dict(cursor.fetchall())
        if players:
            end_tickets(players, TicketState.EXPIRED, now)
            tell_players(players.values(), "ticket.expired")
    return len(players)
