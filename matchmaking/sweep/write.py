"""Writing what a sweep has found: in one short transaction, for the holder of the lease only."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import numpy as np
from django.db import connection, transaction

from events.kinds import Kind
from foundation import clock
from foundation.bulk import Column
from foundation.transactions import idle_limit
from matchmaking.broadcasts import Addressee, broadcast_tickets, broadcast_to_players
from matchmaking.models import OfferState, Queue, TicketState
from matchmaking.offers.close import end_tickets
from matchmaking.offers.line_up import chosen_characters
from matchmaking.offers.metrics import count_offers, note_waits
from matchmaking.playing import playing_of
from matchmaking.sweep.lease import LEASE, extend_lease
from matchmaking.sweep.proposals import Proposals
from ratings.matches.start import Terms, start_matches

__all__ = ["LostLeaseError", "write_proposals"]

# A process that stops between two statements loses its session and its locks. Nothing here is worth a wait.
_LIMITS = "SET LOCAL lock_timeout = '1s'; SET LOCAL idle_in_transaction_session_timeout = '{idle}'; SET LOCAL jit = off"
_AT_ONCE = 500  # matches begun in one transaction
# Tickets that somebody has ended, or is ending now, are not held. Only those are sent back: mostly none.
# The planner would weigh every id of an array that it sees: for ten thousand that takes longer than to find them.
_HOLD_TICKETS = """
WITH given AS MATERIALIZED (SELECT %(tickets)s::bigint[] AS ids), held AS MATERIALIZED (
    SELECT id FROM matchmaking_ticket WHERE id = ANY((SELECT ids FROM given)::bigint[]) AND state = 'waiting'
    ORDER BY id FOR UPDATE SKIP LOCKED
)
SELECT ARRAY(SELECT unnest(ids) FROM given EXCEPT SELECT id FROM held)
"""
# The rows given are joined with each other and not with tables: how many tickets wait changes faster than the
# statistics that plans are made from. Tickets are found by their ids alone, and the rating of each by halving.
_OFFER = """
WITH numbers AS MATERIALIZED (
    SELECT pg_get_serial_sequence('matchmaking_offer', 'id')::regclass AS sequence
), proposal AS MATERIALIZED (
    SELECT nextval(sequence) AS offer, given.*, why.record
    FROM numbers CROSS JOIN
        unnest(%(gap)s::float8[], %(chance)s::float8[], %(map)s::int[], %(neutral)s::boolean[], %(match)s::bigint[])
        WITH ORDINALITY AS given (gap, chance, map, is_neutral, match, ordinality)
    JOIN jsonb_array_elements(%(record)s::jsonb) WITH ORDINALITY AS why (record, ordinality) USING (ordinality)
), offered AS (
    INSERT INTO matchmaking_offer (id, queue_id, state, created_at, expires_at, gap, chance, map, is_neutral, record,
                                   match_id)
    SELECT offer, %(queue)s, %(state)s, %(now)s, %(expires)s, gap, nullif(chance, 'NaN'), (%(maps)s::text[])[map],
           is_neutral, record, match
    FROM proposal
), offered_tickets AS (
    INSERT INTO matchmaking_offerticket (offer_id, ticket_id, team, live, accepted_at)
    SELECT offer, ticket, team, true, %(accepted)s::timestamptz
    FROM proposal JOIN unnest(%(proposal)s::bigint[], %(ticket)s::bigint[], %(team)s::smallint[])
        AS offered (ordinality, ticket, team) USING (ordinality)
), asked AS (
    UPDATE matchmaking_ticket
    SET state = 'offered', rating = (%(ratings)s::float8[])[width_bucket(id, %(tickets)s::bigint[])]
    WHERE id = ANY((SELECT %(tickets)s::bigint[])::bigint[])
)
SELECT array_agg(offer ORDER BY ordinality) FROM proposal
"""
_FREE_QUEUE = """
UPDATE matchmaking_queue SET sweep_token = NULL, sweep_until = NULL, swept_at = %(now)s WHERE id = %(queue)s
"""


class LostLeaseError(Exception):
    """The lease has passed to another: what was paired is thrown away."""


def write_proposals(queue: Queue, token: UUID, proposals: Proposals) -> int:
    """Offer the matches and free the lease; in a queue that accepts by itself they begin. Returns how many.

    Raises LostLeaseError; nothing more has been written then.
    """
    if not queue.accepts_by_itself:
        return _write(queue, token, proposals, is_last=True)
    # Beginning a match takes work in this process too, which must not idle in a transaction for long.
    begun = 0
    for start in range(0, max(len(proposals), 1), _AT_ONCE):
        stop = start + _AT_ONCE
        part = proposals.part(start, stop)
        begun += _write(queue, token, part, is_last=stop >= len(proposals))
    return begun


@transaction.atomic
def _write(queue: Queue, token: UUID, proposals: Proposals, *, is_last: bool) -> int:
    """Write some of the matches in one transaction; returns how many there are still."""
    now, made = clock.now(), 0
    with connection.cursor() as cursor:
        cursor.execute(_LIMITS.format(idle=idle_limit()))
        # The queue's row comes first; whoever has it instead of us is writing, or editing it.
        if not LEASE.hold_row(queue.pk, token):
            raise LostLeaseError(f"queue {queue.pk} is not leased to sweep {token} any more")
        if len(proposals):
            cursor.execute(_HOLD_TICKETS, {"tickets": _array(proposals.ticket)})
            (gone,) = cursor.fetchone()
            proposals = proposals.where(proposals.whole(gone))
    if len(proposals) and queue.accepts_by_itself:
        made = _begin_matches(queue, proposals, now)
    elif len(proposals):
        made = len(proposals)
        offers = _offer(queue, proposals, now, state=OfferState.PENDING)
        count_offers(queue.slug, "made", made)
        _broadcast(queue, proposals, Kind.OFFER_MADE, offers)
    if not is_last:
        extend_lease(queue.pk, token)
        return made
    with connection.cursor() as cursor:
        cursor.execute(_FREE_QUEUE, {"queue": queue.pk, "now": now})
    return made


def _begin_matches(queue: Queue, proposals: Proposals, now: datetime) -> int:
    """Begin the matches without asking; returns how many did. Tickets of those who play by now end."""
    characters = chosen_characters(proposals.ticket.tolist())
    terms = [
        Terms(map_name=name, neutral=neutral, characters=characters)
        for name, neutral in zip(proposals.map.tolist(), proposals.is_neutral.tolist(), strict=True)
    ]
    started = start_matches(ladder=queue.ladder, line_ups=proposals.line_ups(), terms=terms)
    matches = np.array(started, dtype=np.int64)  # ids, 0 for one that could not begin
    begun, failed = proposals.where(matches > 0), proposals.where(matches == 0)
    if len(begun):
        of = matches[matches > 0].tolist()
        offers = _offer(queue, begun, now, state=OfferState.ACCEPTED, matches=of)
        _broadcast(queue, begun, Kind.OFFER_ACCEPTED, offers)
        end_tickets(begun.ticket.tolist(), TicketState.MATCHED, now)
    playing = np.isin(failed.player, list(playing_of(failed.player.tolist())))
    end_tickets(failed.ticket[failed.row[playing]].tolist(), TicketState.CANCELLED, now)
    if len(failed):
        broadcast_to_players(queue.ladder.game_id, failed.player.tolist(), Kind.OFFER_DECLINED)
    count_offers(queue.slug, "made", len(proposals))
    count_offers(queue.slug, "accepted", len(begun))
    count_offers(queue.slug, "failed", len(failed))
    note_waits(queue.slug, begun.waited.tolist())
    return len(begun)


def _offer(
    queue: Queue,
    proposals: Proposals,
    now: datetime,
    *,
    state: OfferState,
    matches: Sequence[int] | None = None,
) -> list[int]:
    """Write offers with all their tickets; returns their ids."""
    names, codes = np.unique(proposals.map.astype(str), return_inverse=True)
    rising = np.argsort(proposals.ticket)
    given: dict[str, Any] = {
        "queue": queue.pk,
        "state": state.value,
        "gap": _array(proposals.gap),
        "chance": _array(proposals.chance),
        "map": _array(codes + 1),
        "maps": names.tolist(),
        "neutral": _array(proposals.is_neutral),
        "record": f"[{','.join(proposals.record.tolist())}]",
        "match": _array(np.array(matches)) if matches else "{}",
        "proposal": _array(proposals.match + 1),
        "ticket": _array(proposals.ticket),
        "team": _array(proposals.team),
        "tickets": _array(proposals.ticket[rising]),
        "ratings": _array(proposals.rating[rising]),
        "now": now,
        "expires": now + timedelta(seconds=queue.accept_seconds),
        "accepted": now if matches else None,
    }
    with connection.cursor() as cursor:
        cursor.execute(_OFFER, given)
        (offers,) = cursor.fetchone()
    return list(offers)


def _broadcast(queue: Queue, proposals: Proposals, kind: Kind, offers: Sequence[int]) -> None:
    """Broadcast one message for each ticket."""
    tickets, matches = proposals.ticket.tolist(), proposals.match.tolist()
    addressees = (
        Addressee(queue.ladder.game_id, queue.pk, tickets[row], player, offers[matches[row]])
        for row, player in zip(proposals.row.tolist(), proposals.player.tolist(), strict=True)
    )
    broadcast_tickets(addressees, kind)


def _array(column: Column) -> str:
    """A column of numbers as PostgreSQL writes an array: quoting each of ten thousand takes half a second."""
    return f"{{{','.join(map(str, column.tolist()))}}}"
