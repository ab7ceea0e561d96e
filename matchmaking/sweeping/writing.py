"""Writing what a sweep has found: in one short transaction, for the holder of the claim only."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import numpy as np
from django.db import connection, transaction

from foundation import clock
from matchmaking.closing import end_tickets, playing_of, tell_players
from matchmaking.counting import count_offers, note_waits
from matchmaking.models import OfferState, Queue, TicketState
from matchmaking.pairing import Pairs, Tickets
from matchmaking.sweeping import claims
from ratings.starting import start_matches
from ratings.systems.arrays import Bools, Floats, Ints

__all__ = ["LostClaimError", "Written", "write_pairs"]

# A process that stops between two statements loses its session and its locks. Nothing here is worth a wait.
_LIMITS = "SET LOCAL lock_timeout = '1s'; SET LOCAL idle_in_transaction_session_timeout = '2s'; SET LOCAL jit = off"
_HOLD_QUEUE = """
SELECT count(*) FROM (
    SELECT FROM matchmaking_queue WHERE id = %(queue)s AND sweep_token = %(token)s FOR NO KEY UPDATE SKIP LOCKED
) AS held
"""
_AT_ONCE = 500  # matches begun in one transaction
# Tickets that somebody has ended, or is ending now, are not held. Only those are sent back: mostly none.
_HOLD_TICKETS = """
WITH held AS MATERIALIZED (
    SELECT id FROM matchmaking_ticket WHERE id = ANY(%(tickets)s) AND state = 'waiting'
    ORDER BY id FOR UPDATE SKIP LOCKED
)
SELECT ARRAY(SELECT unnest(%(tickets)s::bigint[]) EXCEPT SELECT id FROM held)
"""
# Nothing here is joined: how many tickets wait changes faster than the statistics that plans are made from.
_OFFER = """
WITH pair AS MATERIALIZED (
    SELECT nextval(pg_get_serial_sequence('matchmaking_offer', 'id')) AS offer, given.*
    FROM unnest(%(first)s::bigint[], %(second)s::bigint[], %(gap)s::float8[], %(match)s::bigint[])
        AS given (first, second, gap, match)
), offered AS (
    INSERT INTO matchmaking_offer (id, queue_id, state, created_at, expires_at, gap, match_id)
    SELECT offer, %(queue)s, %(state)s, %(now)s, %(expires)s, gap, match FROM pair
), seated AS (
    INSERT INTO matchmaking_offerticket (offer_id, ticket_id, team, live, accepted_at)
    SELECT offer, first, 0, true, %(accepted)s::timestamptz FROM pair
    UNION ALL SELECT offer, second, 1, true, %(accepted)s::timestamptz FROM pair
)
UPDATE matchmaking_ticket SET state = 'offered' WHERE id = ANY(%(first)s::bigint[] || %(second)s::bigint[])
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


@dataclass(frozen=True, slots=True, eq=False)
class Meetings:
    """m pairs: tickets and players int64 (m, 2), gap float64 (m,), waited float64 (m, 2) in seconds."""

    tickets: Ints
    players: Ints
    gap: Floats
    waited: Floats

    def where(self, chosen: Bools | slice) -> "Meetings":
        """Return some of them."""
        return Meetings(*(getattr(self, name)[chosen] for name in self.__slots__))

    def __len__(self) -> int:
        return len(self.gap)


def write_pairs(queue: Queue, token: UUID, tickets: Tickets, pairs: Pairs) -> Written:
    """Offer the pairs their matches and free the claim; in a queue that accepts by itself the matches begin.

    Raises LostClaimError; nothing more has been written then.
    """
    sides = np.stack((pairs.first, pairs.second), axis=1)
    meetings = Meetings(tickets.id[sides], tickets.player[sides], pairs.gap, tickets.waited[sides])
    if not queue.accepts_by_itself:
        return Written(_write(queue, token, meetings, is_last=True), 0)
    # Beginning a match takes work in this process too, which must not idle in a transaction for long.
    begun = 0
    for start in range(0, max(len(meetings), 1), _AT_ONCE):
        stop = start + _AT_ONCE
        part = meetings.where(slice(start, stop))
        begun += _write(queue, token, part, is_last=stop >= len(meetings))
    return Written(begun, begun)


@transaction.atomic
def _write(queue: Queue, token: UUID, meetings: Meetings, *, is_last: bool) -> int:
    """Write some of the pairs in one transaction; returns how many there are still."""
    now = clock.now()
    _hold_queue(queue.pk, token)
    if len(meetings):
        meetings = meetings.where(_hold_tickets(meetings))
    act = _begin_matches if queue.accepts_by_itself else _make_offers
    made = act(queue, meetings, now) if len(meetings) else 0
    if not is_last:
        claims.extend(queue.pk, token)
        return made
    with connection.cursor() as cursor:
        cursor.execute(_FREE_QUEUE, {"queue": queue.pk, "now": now})
    return made


def _hold_queue(queue_id: int, token: UUID) -> None:
    """Take the queue's row first; whoever has it instead of us is writing, or editing it."""
    with connection.cursor() as cursor:
        cursor.execute(_LIMITS)
        cursor.execute(_HOLD_QUEUE, {"queue": queue_id, "token": token})
        if cursor.fetchone() != (1,):
            raise LostClaimError(f"queue {queue_id} is not claimed by sweep {token} any more")


def _hold_tickets(meetings: Meetings) -> Bools:
    """Lock the tickets that wait still; returns which pairs are whole."""
    with connection.cursor() as cursor:
        cursor.execute(_HOLD_TICKETS, {"tickets": meetings.tickets.ravel().tolist()})
        (gone,) = cursor.fetchone()
    is_gone: Bools = np.isin(meetings.tickets, gone)
    return ~is_gone[:, 0] & ~is_gone[:, 1]


def _make_offers(queue: Queue, meetings: Meetings, now: datetime) -> int:
    """Ask the players; returns how many offers there are."""
    _offer(queue, meetings, now, state=OfferState.PENDING)
    count_offers(queue.slug, "made", len(meetings))
    tell_players(meetings.players.ravel().tolist(), "offer.made")
    return len(meetings)


def _begin_matches(queue: Queue, meetings: Meetings, now: datetime) -> int:
    """Begin the matches without asking; returns how many did. Whoever plays by now ends, and the other waits on."""
    line_ups = meetings.players[:, :, np.newaxis].tolist()
    matches = np.array(start_matches(ladder=queue.ladder, line_ups=line_ups), dtype=np.int64)
    begun, failed = meetings.where(matches > 0), meetings.where(matches == 0)
    if len(begun):
        of = matches[matches > 0].tolist()
        _offer(queue, begun, now, state=OfferState.ACCEPTED, matches=of)
        end_tickets(begun.tickets.ravel().tolist(), TicketState.MATCHED, now)
    playing = np.isin(failed.players, list(playing_of(failed.players.ravel().tolist())))
    end_tickets(failed.tickets[playing].tolist(), TicketState.CANCELLED, now)
    tell_players(meetings.players.ravel().tolist(), "offer.accepted")
    count_offers(queue.slug, "made", len(meetings))
    count_offers(queue.slug, "accepted", len(begun))
    count_offers(queue.slug, "failed", len(failed))
    note_waits(queue.slug, begun.waited.ravel().tolist())
    return len(begun)


def _offer(
    queue: Queue,
    meetings: Meetings,
    now: datetime,
    *,
    state: OfferState,
    matches: Sequence[int] | None = None,
) -> None:
    """Write offers with both their tickets."""
    given: dict[str, Any] = {
        "queue": queue.pk,
        "state": state.value,
        "first": meetings.tickets[:, 0].tolist(),
        "second": meetings.tickets[:, 1].tolist(),
        "gap": meetings.gap.tolist(),
        "match": matches or [None] * len(meetings),
        "now": now,
        "expires": now + timedelta(seconds=queue.accept_seconds),
        "accepted": now if matches else None,
    }
    with connection.cursor() as cursor:
        cursor.execute(_OFFER, given)
