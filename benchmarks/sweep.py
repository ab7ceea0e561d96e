"""One sweep of a queue with 10,000 waiting tickets: read, paired, and 5,000 offers committed.

The peer of the whole is a bare COPY, out and in, of the rows that the sweep reads and writes: no join, no index, no
check. The peer of the pairs is what is done without an algorithm: sort by rating, and pair neighbours one after the
other where both accept the gap.
"""

import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass

import numpy as np
import psycopg
from django.db import connection
from django.db.models import Avg

from benchmarks.figure import Figure
from benchmarks.load.rated_players import add_rated_players
from benchmarks.period import copy_in, copy_out
from foundation import timekeeping
from matchmaking.models import Offer, Queue
from matchmaking.pairing import Plan, Rules, Tickets
from matchmaking.pairing.conditions import RatingGap
from matchmaking.pairing.strategies.choose import find_matches
from matchmaking.pairing.strategies.filters import pair_by
from matchmaking.sweep import run as sweep
from matchmaking.sweep.pairing_context import PairingContext
from matchmaking.sweep.read import read_waiting
from matchmaking.sweep.run import SweepReport
from ratings.models import Game, Ladder
from ratings.systems.arrays import Floats
from ratings.tracks.parameters import create_track

NAME = "sweep"
TICKETS, ROUNDS = 10_000, 5
ENDED = 100_000
# So narrow that not everybody can be matched, and it matters who is.
NARROW = Rules(gap_start=0.05, gap_per_second=0.02)

# Searches of the past, so that the tables are as long as they get.
_ENDED = """
WITH made AS (
    INSERT INTO matchmaking_ticket (queue_id, state, waiting_since, seen_at, ended_at)
    SELECT %(queue)s, 'cancelled', now() - interval '1 day', now() - interval '1 day', now() - interval '1 day'
    FROM generate_series(1, %(ended)s) RETURNING id
), numbered AS (SELECT id, row_number() OVER () AS number FROM made),
players AS (SELECT id, row_number() OVER () AS number FROM ratings_player WHERE game_id = %(game)s)
INSERT INTO matchmaking_ticketmember (ticket_id, player_id, live)
SELECT numbered.id, players.id, false
FROM numbered JOIN players ON players.number = 1 + numbered.number %% %(players)s
"""
# Waiting for up to half a minute.
_TICKETS = """
WITH made AS (
    INSERT INTO matchmaking_ticket (queue_id, state, waiting_since, seen_at)
    SELECT %(queue)s, 'waiting', now() - random() * interval '30 seconds', now()
    FROM generate_series(1, %(players)s) RETURNING id
), numbered AS (SELECT id, row_number() OVER () AS number FROM made),
players AS (SELECT id, row_number() OVER (ORDER BY random()) AS number FROM ratings_player WHERE game_id = %(game)s)
INSERT INTO matchmaking_ticketmember (ticket_id, player_id, live)
SELECT numbered.id, players.id, true FROM numbered JOIN players USING (number)
"""
_END = (
    "UPDATE matchmaking_offerticket SET live = false WHERE live",
    "UPDATE matchmaking_offer SET state = 'expired' WHERE state = 'pending'",
    "WITH ended AS (UPDATE matchmaking_ticket SET state = 'expired', ended_at = now()"
    " WHERE state IN ('waiting', 'offered') RETURNING id)"
    " UPDATE matchmaking_ticketmember AS member SET live = false FROM ended WHERE member.ticket_id = ended.id",
)
# What a sweep reads of each ticket, and the rows that it writes: offers, their tickets, tickets that are offered a
# match by now, and a notice to each.
_READ = """
SELECT ticket_id, member.id, player_id, waiting_since, value, deviation, as_of
FROM matchmaking_ticket AS ticket JOIN matchmaking_ticketmember AS member ON member.ticket_id = ticket.id
JOIN ratings_rating AS rating USING (player_id)
WHERE ticket.queue_id = {queue} AND ticket.state = 'offered'
"""
_WRITTEN = (
    "SELECT * FROM matchmaking_offer WHERE queue_id = {queue} AND state = 'pending'",
    "SELECT given.* FROM matchmaking_offerticket AS given JOIN matchmaking_ticket AS ticket ON ticket.id = ticket_id"
    " WHERE ticket.queue_id = {queue} AND given.live",
    "SELECT * FROM matchmaking_ticket WHERE queue_id = {queue} AND state = 'offered'",
    "SELECT * FROM events_notice WHERE kind = 'offer.made' AND transaction ="
    " (SELECT max(transaction) FROM events_notice)",
)


@dataclass(frozen=True)
class Round:
    """Seconds of one sweep, of the peer and of its parts, and the pairs beside those of the peer."""

    total: float
    copy: float
    reading: float
    pairing: float
    gap: float
    share: float
    peer_gap: float
    peer_share: float
    narrow_share: float
    narrow_peer_share: float


def run() -> Iterator[Figure]:
    """Sweep a full queue several times; each figure is the median."""
    queue = make_queue()
    rounds = [measure(queue) for _ in range(ROUNDS)]
    columns = {
        name: round(float(np.median([getattr(one, name) for one in rounds])), 4)
        for name in Round.__dataclass_fields__
    }
    peer = "sorted by rating, neighbours paired one after the other"
    named = f"sweep: {TICKETS:,} tickets"
    yield Figure(
        name=f"{named}, claimed to committed",
        value=columns["total"],
        unit="s",
        peer="bare COPY out and in of the rows read and written, through the same client library",
        peer_value=columns["copy"],
    )
    yield Figure(name=f"{named}, reading alone", value=columns["reading"], unit="s")
    yield Figure(name=f"{named}, pairing alone", value=columns["pairing"], unit="s")
    yield Figure(
        name="sweep: mean gap of a pair",
        value=columns["gap"],
        unit="points",
        peer=peer,
        peer_value=columns["peer_gap"],
    )
    for name, kind in (("", ""), (" where few fit together", "narrow_")):
        yield Figure(
            name=f"sweep: share of the tickets matched{name}",
            value=columns[f"{kind}share"],
            unit="of 1",
            peer=peer,
            peer_value=columns[f"{kind}peer_share"],
        )


def make_queue() -> Queue:
    """A queue with rated players, on tables that are as long as they get."""
    game = Game.objects.create(slug=f"bench-{time.time_ns()}", name="Benchmark")
    ladder = Ladder.objects.create(game=game, slug=game.slug, name="Benchmark")
    track = create_track(ladder=ladder, system="glicko", parameters={}, period_days=30, shown=True)
    queue = Queue.objects.create(ladder=ladder, slug=game.slug, name="Benchmark")
    add_rated_players(track, TICKETS)
    given = {"game": game.pk, "queue": queue.pk, "players": TICKETS, "ended": ENDED}
    with connection.cursor() as cursor:
        cursor.execute(_ENDED, given)
    return queue


def measure(queue: Queue) -> Round:
    """Fill the queue, look at it without writing, sweep it."""
    with connection.cursor() as cursor:
        for statement in _END:
            cursor.execute(statement)
        cursor.execute(
            _TICKETS, {"game": queue.ladder.game_id, "queue": queue.pk, "players": TICKETS}
        )
        cursor.execute("VACUUM (ANALYZE) matchmaking_ticket, matchmaking_ticketmember")
    began = time.perf_counter()
    context = PairingContext.of(queue)
    tickets = read_waiting(context, timekeeping.deadlines())
    read = time.perf_counter()
    found = find_matches(tickets, context.plan)
    paired = time.perf_counter()
    peer = pair_neighbours(tickets, context.plan.rules)
    total, report = timed(queue)
    gaps = Offer.objects.filter(queue=queue, state="pending").aggregate(Avg("gap"))
    assert report.waiting == TICKETS == len(tickets)
    assert abs(report.offers - len(found)) < TICKETS / 1000  # who has waited longer accepts more
    return Round(
        total=total,
        copy=copied(queue),
        reading=read - began,
        pairing=paired - read,
        gap=gaps["gap__avg"],
        share=2 * report.offers / TICKETS,
        peer_gap=float(peer.mean()),
        peer_share=2 * len(peer) / TICKETS,
        narrow_share=pair_by(tickets, (RatingGap.of(Plan(rules=NARROW)),)).share,
        narrow_peer_share=2 * len(pair_neighbours(tickets, NARROW)) / TICKETS,
    )


def copied(queue: Queue) -> float:
    """Seconds to COPY what the last sweep has read and written: out of a bare table, into another."""
    connection.ensure_connection()
    native: psycopg.Connection[tuple[object, ...]] = connection.connection
    with closing(native.cursor()) as cursor:
        cursor.execute(f"CREATE TEMP TABLE read AS {_READ.format(queue=queue.pk)}".encode())
        written = [query.format(queue=queue.pk) for query in _WRITTEN]
        rows = [copy_out(cursor, query) for query in written]
        began = time.perf_counter()
        copy_out(cursor, "SELECT * FROM read")
        seconds = time.perf_counter() - began
        for query, blocks in zip(written, rows, strict=True):
            seconds += copy_in(cursor, query, blocks)
        cursor.execute(b"DROP TABLE read")
    return seconds


def timed(queue: Queue) -> tuple[float, SweepReport]:
    """Seconds of a run as a worker makes it, with its report."""
    began = time.perf_counter()
    report = sweep.run_queue(queue.pk)
    return time.perf_counter() - began, report


def pair_neighbours(tickets: Tickets, rules: Rules) -> Floats:
    """Gaps of the pairs that the peer finds."""
    order = np.argsort(tickets.rating)
    rating, tolerance = tickets.rating[order], rules.tolerances(tickets.waited[order])
    gaps, allowed = np.diff(rating), np.minimum(tolerance[1:], tolerance[:-1])
    found, index = [], 0
    while index < len(gaps):
        is_pair = gaps[index] <= allowed[index]
        if is_pair:
            found.append(gaps[index])
        index += 1 + is_pair
    return np.array(found)
