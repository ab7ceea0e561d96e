"""Alerts whose searches are over, however they ended: they count as read. Right when run never, once, or twice at once.

Looked at again and again instead of where a search ends: that happens in a sweep for hundreds at once.
"""

from datetime import timedelta

from django.db import connection

from foundation import clock
from matchmaking.alerts.told import ANYBODY, NEAR
from notifications.reading import mark_read

__all__ = ["mark_alerts_over"]

_LATELY = timedelta(days=1)
# Of the queues in which nobody of whom others were told still waits; whether the wish is still there or not.
_OVER = """
SELECT notice.id, notice.player_id FROM notifications_notice AS notice
WHERE notice.created_at > %(since)s AND notice.kind = ANY(%(kinds)s) AND notice.read_at IS NULL AND notice.on_site
  AND notice.about LIKE 'queue:%%'
  AND NOT EXISTS (
      SELECT FROM matchmaking_ticket AS ticket JOIN matchmaking_searchtold AS told ON told.ticket_id = ticket.id
      WHERE ticket.queue_id = split_part(notice.about, ':', 2)::bigint AND ticket.state IN ('waiting', 'offered')
  )
ORDER BY notice.id
"""


def mark_alerts_over() -> int:
    """Mark them as read; returns how many."""
    with connection.cursor() as cursor:
        cursor.execute(_OVER, {"kinds": [NEAR, ANYBODY], "since": clock.now() - _LATELY})
        over = cursor.fetchall()
    if not over:
        return 0
    return mark_read({player for _pk, player in over}, ids=[pk for pk, _player in over])
