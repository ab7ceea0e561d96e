"""Writing what a sweep has found: in one short transaction, for the holder of the claim only."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import numpy as np
from django.db import connection, transaction

from foundation import clock
from foundation.bulk import to_micros
from matchmaking.closing import conclude_offers, fail_held_offers, tell_players
from matchmaking.counting import count_offers, note_waits
from matchmaking.models import OfferTicket, Queue
from matchmaking.pairing import Pairs
from matchmaking.sweeping.reading import Waiting
from ratings.starting import start_matches
from ratings.systems.arrays import Bools, Ints

__all__ = ["LostClaimError", "Written", "write_pairs"]

# A process that stops between two statements loses its session and its locks. Nothing here is worth a wait.
_LIMITS = "SET LOCAL lock_timeout = '1s'; SET LOCAL idle_in_transaction_session_timeout = '2s'; SET LOCAL jit = off"
_HOLD_QUEUE = """
SELECT count(*) FROM (
    SELECT FROM matchmaking_queue WHERE id = %(queue)s AND sweep_token = %(token)s FOR NO KEY UPDATE SKIP LOCKED
) AS held
"""
# Tickets that somebody has ended, or is ending now, are left out, and with them their pair. All that is sent back
# is the places of such pairs.
_OFFER = """
WITH pair AS (
    SELECT * FROM unnest(%(first)s::bigint[], %(second)s::bigint[], %(gap)s::float8[])
    WITH ORDINALITY AS given (first, second, gap, place)
), held AS MATERIALIZED (
    SELECT id FROM matchmaking_ticket
    WHERE id = ANY(%(first)s::bigint[] || %(second)s::bigint[]) AND state = 'waiting'
    ORDER BY id FOR UPDATE SKIP LOCKED
), whole AS MATERIALIZED (
    SELECT pair.*, nextval(pg_get_serial_sequence('matchmaking_offer', 'id')) AS offer
    FROM pair JOIN held AS one ON one.id = pair.first JOIN held AS other ON other.id = pair.second
), seat AS MATERIALIZED (
    SELECT offer, first AS ticket, 0 AS team FROM whole UNION ALL SELECT offer, second, 1 FROM whole
), offered AS (
    INSERT INTO matchmaking_offer (id, queue_id, state, created_at, expires_at, gap)
    SELECT offer, %(queue)s, 'pending', %(now)s, %(expires)s, gap FROM whole
), seated AS (
    INSERT INTO matchmaking_offerticket (offer_id, ticket_id, team, live, accepted_at)
    SELECT offer, ticket, team, true, %(accepted)s FROM seat
), moved AS (
    UPDATE matchmaking_ticket AS ticket SET state = 'offered' FROM seat WHERE ticket.id = seat.ticket
)
SELECT ARRAY(SELECT place - 1 FROM pair EXCEPT SELECT place - 1 FROM whole)
"""
_FREE_QUEUE = """
UPDATE matchmaking_queue SET sweep_token = NULL, sweep_until = NULL, swept_at = %(now)s WHERE id = %(queue)s
"""


class LostClaimError(Exception):
    """The claim has passed to another: what was paired is thrown away."""


@dataclass(frozen=True, slots=True)
class Written:
    """How many offers were made, and how many of them are matches already."""

    offers: int
    matches: int


def write_pairs(queue: Queue, token: UUID, waiting: Waiting, pairs: Pairs) -> Written:
    """Offer the pairs their matches and free the claim; with a queue that accepts by itself the matches begin.

    Raises LostClaimError; nothing has been written then.
    """
    with transaction.atomic():
        now = clock.now()
        _hold_queue(queue.pk, token)
        made = _offer(queue, waiting, pairs, now) if len(pairs) else np.zeros(0, dtype=bool)
        sides = np.stack((pairs.first[made], pairs.second[made]), axis=1)
        count_offers(queue.slug, "made", len(sides))
        matches = _follow_up(queue, waiting, sides, now) if len(sides) else 0
        with connection.cursor() as cursor:
            cursor.execute(_FREE_QUEUE, {"queue": queue.pk, "now": now})
    return Written(len(sides), matches)


def _hold_queue(queue_id: int, token: UUID) -> None:
    """Take the queue's row first; whoever has it instead of us is writing, or editing it."""
    with connection.cursor() as cursor:
        cursor.execute(_LIMITS)
        cursor.execute(_HOLD_QUEUE, {"queue": queue_id, "token": token})
        if cursor.fetchone() != (1,):
            raise LostClaimError(f"queue {queue_id} is not claimed by sweep {token} any more")


def _offer(queue: Queue, waiting: Waiting, pairs: Pairs, now: datetime) -> Bools:
    """Write offers for the pairs whose tickets wait still; returns for which."""
    ids = waiting.tickets.id
    given: dict[str, Any] = {
        "queue": queue.pk,
        "first": ids[pairs.first].tolist(),
        "second": ids[pairs.second].tolist(),
        "gap": pairs.gap.tolist(),
        "now": now,
        "expires": now + timedelta(seconds=queue.accept_seconds),
        "accepted": now if queue.accepts_by_itself else None,
    }
    with connection.cursor() as cursor:
        cursor.execute(_OFFER, given)
        (left_out,) = cursor.fetchone()
    made = np.ones(len(pairs), dtype=bool)
    made[left_out] = False
    return made


def _follow_up(queue: Queue, waiting: Waiting, sides: Ints, now: datetime) -> int:
    """Let the players know, or let the matches begin; `sides` holds the two tickets of each offer by position."""
    if queue.accepts_by_itself:
        return _begin_matches(queue, waiting, sides, now)
    tell_players(waiting.tickets.player[sides.ravel()].tolist(), "offer.made")
    return 0


def _begin_matches(queue: Queue, waiting: Waiting, sides: Ints, now: datetime) -> int:
    """Begin the matches of offers that nobody is asked about; returns how many did."""
    tickets, players = waiting.tickets.id[sides], waiting.tickets.player[sides]
    line_ups = players[:, :, np.newaxis].tolist()
    matches = np.array(start_matches(ladder=queue.ladder, line_ups=line_ups), dtype=np.int64)
    begun = matches > 0
    conclude_offers(tickets[begun, 0].tolist(), matches[begun].tolist(), now)
    waited = (to_micros(now) - waiting.since[sides[begun]]) / 1e6
    note_waits(queue.slug, waited.ravel().tolist())
    count_offers(queue.slug, "accepted", int(begun.sum()))
    if not begun.all():
        seats = OfferTicket.objects.filter(live=True, ticket__in=tickets[~begun, 0].tolist())
        fail_held_offers(list(seats.values_list("offer", flat=True)), now)
        count_offers(queue.slug, "failed", int((~begun).sum()))
    return int(begun.sum())
