"""Telling of searches that have waited for a while: right when run never, once, twice, or twice at once.

A search is marked as told of, the players whose turn it is as told, and their notices are written in one transaction:
a worker that is killed before its end has told nobody, and one at the same time passes over what this one holds.

On ladders that hide ratings none is read: who is told follows from the players' choices and from how long ago each was
told last.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import inf
from typing import Any

import structlog
from django.db import OperationalError, connection
from django.db.models import Exists, OuterRef, Q

from foundation import clock
from foundation.postgresql.transactions import briefly
from matchmaking.alerts.told import ANYBODY, NEAR
from matchmaking.alerts.wish import tells_nearness
from matchmaking.conduct.standing import COOLING
from matchmaking.kept_apart import NOT_APART
from matchmaking.models import AlertWish, Queue, Ticket, TicketState
from matchmaking.pairing.nearness import Nearness, widths
from matchmaking.pairing.plan import Rules
from matchmaking.pairing.settings.match_sections import Alerts
from matchmaking.queues.settings import settings_of
from matchmaking.sweep.pairing_context import tracks_of
from notifications.quiet import QUIET_NOW, clocks
from notifications.tell import take_back, tell
from ratings.sanctions import HIDDEN_NOW, SUSPENDED_NOW
from ratings.tracks.parameters import current_version, system_of

__all__ = ["tell_of_searches"]

log = structlog.get_logger(__name__)

_SEARCHES = 100  # told of at once
_BARRED = f"""
SELECT 1 FROM ratings_sanction AS sanction WHERE sanction.player_id = {{player}}
  AND sanction.suspended_from IN ('searching', 'all') AND {SUSPENDED_NOW}
UNION ALL
SELECT 1 FROM matchmaking_conductstanding AS standing WHERE standing.player_id = {{player}} AND {COOLING}
"""  # noqa: S608 - constants
# Whoever shows nobody what it is at, or is hidden, is not told of either; nor is who is asked "still there?", and is
# matched with nobody before the answer. A search that was told of meanwhile is not given back.
_DUE = f"""
INSERT INTO matchmaking_searchtold (ticket_id, told_at)
SELECT id, %(now)s::timestamptz FROM (
    SELECT ticket.id FROM matchmaking_ticket AS ticket
    LEFT JOIN matchmaking_searchtold AS told ON told.ticket_id = ticket.id
    WHERE ticket.queue_id = %(queue)s AND ticket.state = 'waiting' AND ticket.waiting_since <= %(since)s
      AND ticket.seen_at >= %(seen_since)s AND ticket.asked_at IS NULL
      AND (told.told_at IS NULL OR told.told_at <= %(told_before)s::timestamptz)
      AND NOT EXISTS (
          SELECT FROM matchmaking_ticketmember AS member
          LEFT JOIN people_contactwishes AS shown ON shown.player_id = member.player_id
          WHERE member.ticket_id = ticket.id
            AND (shown.see = 'nobody' OR EXISTS ({_BARRED.format(player="member.player_id")}) OR EXISTS (
                SELECT FROM ratings_sanction AS sanction
                WHERE sanction.player_id = member.player_id AND {HIDDEN_NOW}
            ))
      )
    ORDER BY ticket.waiting_since, ticket.id LIMIT {_SEARCHES}
) AS due ORDER BY id
ON CONFLICT (ticket_id) DO UPDATE SET told_at = excluded.told_at
    WHERE matchmaking_searchtold.told_at <= %(told_before)s::timestamptz
RETURNING ticket_id
"""  # noqa: S608 - constants
# Whose turn it is, who was not told for longest first. Read in that order until there are enough; what is asked of each
# are look-ups by its id. Its rating is read once (`OFFSET 0` keeps it from being put in for each search), and held
# against the two searches next to it first: 100 of whom nobody wanted to hear took longer than a statement may.
_TURN = f"""
WITH search AS MATERIALIZED (
    SELECT ticket.id, array_agg(member.player_id) AS players, avg(coalesce(rating.value, %(initial)s)) AS rating
    FROM matchmaking_ticket AS ticket JOIN matchmaking_ticketmember AS member ON member.ticket_id = ticket.id
    LEFT JOIN ratings_rating AS rating
        ON rating.track_id = %(track)s AND rating.player_id = member.player_id AND rating.facet = ''
    WHERE ticket.id = ANY(%(tickets)s) GROUP BY ticket.id
), sorted AS MATERIALIZED (
    SELECT array_agg(rating ORDER BY rating) AS ratings FROM search
), turn AS (
    SELECT wish.id FROM matchmaking_alertwish AS wish CROSS JOIN LATERAL (
        SELECT coalesce((SELECT value FROM ratings_rating WHERE track_id = %(track)s AND player_id = wish.player_id
                         AND facet = ''), %(initial)s::float8) AS rating,
               CASE wish.near WHEN 'close' THEN %(close)s::float8 WHEN 'rather_close' THEN %(rather_close)s::float8
               ELSE 'infinity'::float8 END AS width
        OFFSET 0
    ) AS own
    WHERE wish.queue_id = %(queue)s AND (wish.until IS NULL OR wish.until > %(now)s)
      AND (wish.told_at IS NULL OR wish.told_at <= %(paused_since)s)
      AND (
          SELECT least(own.rating - ratings[place], ratings[place + 1] - own.rating) <= own.width
          FROM (SELECT ratings, width_bucket(own.rating, ratings) AS place FROM sorted) AS beside
      )
      AND (
          SELECT 1 FROM search WHERE abs(search.rating - own.rating) <= own.width
            AND wish.player_id <> ALL(search.players)
            AND {NOT_APART.format(player="wish.player_id", others="search.players")}
          LIMIT 1
      ) IS NOT NULL
      AND (SELECT 1 FROM ratings_player WHERE id = wish.player_id AND merged_into_id IS NULL) IS NOT NULL
      AND (SELECT 1 FROM matchmaking_ticketmember WHERE player_id = wish.player_id AND live LIMIT 1) IS NULL
      AND (SELECT 1 FROM ratings_participant WHERE player_id = wish.player_id AND playing LIMIT 1) IS NULL
      AND (SELECT 1 FROM ({_BARRED.format(player="wish.player_id")}) AS barred LIMIT 1) IS NULL
      AND (SELECT 1 FROM notifications_quiethours AS quiet
           WHERE quiet.player_id = wish.player_id AND {QUIET_NOW}) IS NULL
    ORDER BY wish.told_at NULLS FIRST, wish.id LIMIT %(most)s
    FOR NO KEY UPDATE OF wish SKIP LOCKED
)
UPDATE matchmaking_alertwish AS wish SET told_at = %(now)s FROM turn WHERE wish.id = turn.id
RETURNING wish.player_id, wish.near
"""  # noqa: S608 - constants


@dataclass(frozen=True, slots=True)
class _Scale:
    """By which ratings somebody is near; without a track none is read, and everybody is."""

    track: int = 0
    initial: float = 0.0
    close: float = inf
    rather_close: float = inf


def tell_of_searches() -> int:
    """Tell of what is due in every queue; returns how many players were told."""
    now = clock.now()
    wanted = AlertWish.objects.filter(Q(until=None) | Q(until__gt=now), queue=OuterRef("pk"))
    waiting = Ticket.objects.filter(queue=OuterRef("pk"), state=TicketState.WAITING)
    queues = Queue.objects.in_use().filter(Exists(wanted), Exists(waiting), is_open=True)
    told = 0
    for queue in queues.select_related("ladder").order_by("pk"):
        try:
            told += _tell_of(queue)
        except (
            OperationalError
        ) as error:  # a lock that did not come in time holds up one queue alone
            log.warning("alerts.later", queue=queue.slug, error=str(error))
    return told


def _tell_of(queue: Queue) -> int:
    alerts = settings_of(queue).alerts
    if not alerts.at_most:
        return 0
    scale = _scale_of(queue)
    with briefly() as now:
        tickets = _due(queue, alerts, now)
        if not tickets:
            return 0
        told = _turn(queue, alerts, scale, tickets, now)
        near = [pk for pk, how in told if scale.track and how != Nearness.ANYBODY]
        others = sorted({pk for pk, _ in told} - set(near))
        about = f"queue:{queue.pk}"
        for kind in (NEAR, ANYBODY) if told else ():  # one of a queue is enough: the last
            take_back(kind, about, players=[pk for pk, _ in told])
        for kind, players in ((NEAR, near), (ANYBODY, others)):
            if players:
                data = {"queue": queue.name, "slug": queue.slug}
                tell(kind, players, about=about, data=data, now=now)
    log.info("alerts.told", queue=queue.slug, searches=len(tickets), players=len(told))
    return len(told)


def _scale_of(queue: Queue) -> _Scale:
    track, _characters = tracks_of(queue.ladder_id)
    if track is None or not track.shown or not tells_nearness(queue):
        return _Scale()
    points = widths(
        Rules(gap_start=queue.gap_start, gap_per_second=queue.gap_per_second, gap_cap=queue.gap_cap)
    )
    initial = system_of(current_version(track), track.period_days).initial(1)
    return _Scale(
        track=track.pk,
        initial=float(initial.value[0]),
        close=points[Nearness.CLOSE],
        rather_close=points[Nearness.RATHER_CLOSE],
    )


def _due(queue: Queue, alerts: Alerts, now: datetime) -> list[int]:
    """Mark the searches that others are to be told of now, and return them."""
    given: dict[str, Any] = {
        "queue": queue.pk,
        "now": now,
        "at": clock.replaced(),
        "since": now - timedelta(seconds=alerts.after),
        "seen_since": now - timedelta(seconds=queue.heartbeat_seconds),
        "told_before": now - timedelta(seconds=alerts.again) if alerts.again else None,
    }
    with connection.cursor() as cursor:
        cursor.execute(_DUE, given)
        return [pk for (pk,) in cursor.fetchall()]


def _turn(
    queue: Queue, alerts: Alerts, scale: _Scale, tickets: Sequence[int], now: datetime
) -> list[tuple[int, str]]:
    """Mark the players whose turn it is as told, and return them, with how near they wish it."""
    given: dict[str, Any] = {
        "queue": queue.pk,
        "tickets": tickets,
        "track": scale.track,
        "initial": scale.initial,
        "close": scale.close,
        "rather_close": scale.rather_close,
        "now": now,
        "at": clock.replaced(),
        "paused_since": now - timedelta(minutes=alerts.pause),
        "clocks": clocks(now),
        "most": alerts.at_most * len(tickets),
    }
    with connection.cursor() as cursor:
        cursor.execute(_TURN, given)
        return sorted(cursor.fetchall())
