"""Writing what a sweep has found: in one short transaction, for the holder of the lease only."""

import math
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import repeat
from uuid import UUID

import numpy as np
from django.db import connection, transaction

from events.kinds import Kind
from events.live import broadcast_all
from foundation import clock
from foundation.postgresql.bulk import (
    NULL,
    Column,
    copy_in,
    copy_lines,
    escaped,
    fetch_columns,
    to_micros,
    whole,
)
from foundation.postgresql.transactions import idle_limit
from matchmaking.broadcasts import message_to_ticket
from matchmaking.models import OfferState, Queue, TicketState
from matchmaking.offers.close import end_tickets
from matchmaking.offers.line_up import chosen_and_named
from matchmaking.offers.metrics import count_offers, note_waits
from matchmaking.offers.told import tell_of_offers
from matchmaking.partners.ask import withdraw
from matchmaking.playing import playing_of
from matchmaking.sweep.lease import LEASE, extend_lease
from matchmaking.sweep.proposals import Proposals
from matchmaking.sweep.still_there import ask_idle
from ratings.matches.start import Terms, start_matches

__all__ = ["LostLeaseError", "write_proposals"]

# A process that stops between two statements loses its session and its locks. Nothing here is worth a wait.
_LIMITS = "SET LOCAL lock_timeout = '1s'; SET LOCAL idle_in_transaction_session_timeout = '{idle}'; SET LOCAL jit = off"
_AT_ONCE = 500  # matches begun in one transaction
# Tickets that somebody has ended, or is ending now, are not held. Only those are sent back: mostly none.
# The planner would weigh every id of an array that it sees: for ten thousand that takes longer than to find them.
_HOLD_TICKETS = """
WITH given AS MATERIALIZED (SELECT %(tickets)s::bigint[] AS ids), held AS MATERIALIZED (
    SELECT id FROM matchmaking_ticket
    WHERE id = ANY((SELECT ids FROM given)::bigint[]) AND state = 'waiting' AND asked_at IS NULL
    ORDER BY id FOR UPDATE SKIP LOCKED
)
SELECT ARRAY(SELECT unnest(ids) FROM given EXCEPT SELECT id FROM held)
"""
_OFFER_COLUMNS = (
    "id",
    "queue_id",
    "state",
    "created_at",
    "expires_at",
    "gap",
    "chance",
    "map",
    "is_neutral",
    "record",
    "match_id",
)
# Tickets are found by their ids alone, and the rating of each by halving: how many tickets wait changes faster than
# the statistics that plans are made from.
_ASK = """
UPDATE matchmaking_ticket
SET state = 'offered', rating = (%(ratings)s::float8[])[width_bucket(id, %(tickets)s::bigint[])]
WHERE id = ANY((SELECT %(tickets)s::bigint[])::bigint[])
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
    if len(proposals) and queue.idle_seconds is not None:
        idle = ask_idle(queue, proposals.ticket.tolist(), now)
        proposals = proposals.where(proposals.whole(idle))
    if len(proposals) and queue.partner_seconds is not None:
        withdraw(proposals.ticket.tolist(), now)
    if len(proposals) and queue.accepts_by_itself:
        made = _begin_matches(queue, proposals, now)
    elif len(proposals):
        made = len(proposals)
        offers = _offer(queue, proposals, now, state=OfferState.PENDING)
        count_offers(queue.slug, "made", made)
        _broadcast(queue, proposals, Kind.OFFER_MADE, offers)
        tell_of_offers(queue, proposals.player.tolist())
    if not is_last:
        extend_lease(queue.pk, token)
        return made
    with connection.cursor() as cursor:
        cursor.execute(_FREE_QUEUE, {"queue": queue.pk, "now": now})
    return made


def _begin_matches(queue: Queue, proposals: Proposals, now: datetime) -> int:
    """Begin the matches without asking; returns how many did. Tickets of those who play by now end."""
    characters, named = chosen_and_named(proposals.ticket.tolist())
    terms = [
        Terms(map_name=name, neutral=neutral, characters=characters, reported_as=named)
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
        _broadcast(queue, failed, Kind.OFFER_DECLINED, [0] * len(failed))
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
    source = "generate_series(1, %(number)s)"
    next_id = whole("nextval((SELECT pg_get_serial_sequence('matchmaking_offer', 'id')::regclass))")
    ids = fetch_columns({"id": next_id}, source, {"number": len(proposals)})["id"]
    expires = now + timedelta(seconds=queue.accept_seconds)
    alike = f"{queue.pk}\t{state.value}\t{now}\t{expires}"
    columns = (
        ids.tolist(),
        proposals.gap.tolist(),
        proposals.chance.tolist(),
        proposals.map.tolist(),
        proposals.is_neutral.tolist(),
        proposals.record.tolist(),
        matches or repeat(NULL, len(proposals)),
    )
    copy_lines(
        "matchmaking_offer",
        _OFFER_COLUMNS,
        (
            f"{pk}\t{alike}\t{gap}\t{NULL if math.isnan(chance) else chance}\t{escaped(map_)}"
            f"\t{neutral}\t{escaped(record)}\t{match}"
            for pk, gap, chance, map_, neutral, record, match in zip(*columns, strict=True)
        ),
    )
    tickets: dict[str, Column] = {
        "offer_id": ids[proposals.match],
        "ticket_id": proposals.ticket,
        "team": proposals.team.astype(np.int16),
        "live": np.ones(len(proposals.ticket), dtype=np.bool_),
    }
    if matches:
        tickets["accepted_at"] = np.full(len(proposals.ticket), to_micros(now))
    copy_in("matchmaking_offerticket", tickets)
    rising = np.argsort(proposals.ticket)
    given = {
        "tickets": _array(proposals.ticket[rising]),
        "ratings": _array(proposals.rating[rising]),
    }
    with connection.cursor() as cursor:
        cursor.execute(_ASK, given)
    found: list[int] = ids.tolist()
    return found


def _broadcast(queue: Queue, proposals: Proposals, kind: Kind, offers: Sequence[int]) -> None:
    """Broadcast one message for each ticket; an offer of the number 0 is none."""
    players: list[list[int]] = [[] for _ in range(len(proposals.ticket))]
    for row, player in zip(proposals.row.tolist(), proposals.player.tolist(), strict=True):
        players[row].append(player)
    columns = proposals.ticket.tolist(), players, np.array(offers)[proposals.match].tolist()
    game = queue.ladder.game_id
    # By their numbers: the order in which a sweep has them reveals ratings.
    broadcast_all(
        message_to_ticket(kind, game, queue.pk, ticket, offer, sorted(members))
        for ticket, members, offer in sorted(zip(*columns, strict=True))
    )


def _array(column: Column) -> str:
    """A column of numbers as PostgreSQL writes an array: quoting each of ten thousand takes half a second."""
    return f"{{{','.join(map(str, column.tolist()))}}}"
