"""One Glicko period: 1,000,000 confirmed matches of 100,000 players, to the committed ledger.

The peer is a bare COPY, out and in, of the columns that the run reads and writes: no join, no index, no check.
"""

import resource
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
from django.db import connection, transaction

from benchmarks.figure import Figure
from ratings.models import Game, Ladder, RatingTrack
from ratings.runs.run import RunReport, rate_track
from ratings.tracks.parameters import create_track

NAME = "period"
PLAYERS = 100_000
MATCHES = 1_000_000
START = datetime(2026, 1, 1, tzinfo=UTC)
PERIOD_DAYS = 30.0

_PLAYERS = """
INSERT INTO ratings_player (game_id, kind, external_id, name, skeleton)
SELECT %(game)s, 'person', 'p' || n, 'Player ' || n, 'player' || n FROM generate_series(1, %(players)s) AS n
"""
_MATCHES = """
INSERT INTO ratings_match
    (ladder_id, game_id, external_id, state, map, played_at, confirmed_at, counts_at, ladder_seq, extra)
SELECT %(ladder)s, %(game)s, 'm' || n, 'confirmed', '', at, at, at, n, '{}'
FROM (SELECT n, %(start)s::timestamptz + n * interval '2 seconds' AS at
      FROM generate_series(1, %(matches)s) AS n) AS made
"""
# The stronger player, who has the lower number, wins more often; 1 in 10 is a draw. The two differ.
_PARTICIPANTS = """
WITH numbered AS (SELECT id, row_number() OVER (ORDER BY id) - 1 AS number FROM ratings_player),
drawn AS (
    SELECT id, (random() * (%(players)s - 1))::int AS one, (random() * (%(players)s - 2))::int AS step,
           random() AS luck
    FROM ratings_match WHERE ladder_id = %(ladder)s
), paired AS (
    SELECT id, one, (one + 1 + step) %% %(players)s AS two, luck FROM drawn
), ranked AS (
    SELECT *, 0.45 + 0.4 * (two - one) / %(players)s AS chance FROM paired
)
INSERT INTO ratings_participant (match_id, player_id, team, rank, character, left_early)
SELECT ranked.id, numbered.id, side,
       CASE WHEN luck < chance THEN side WHEN luck < chance + 0.1 THEN 0 ELSE 1 - side END, '', false
FROM ranked CROSS JOIN generate_series(0, 1) AS side
JOIN numbered ON numbered.number = CASE side WHEN 0 THEN one ELSE two END
ORDER BY ranked.id, side
"""
_OUT = (
    "SELECT id, ladder_seq, counts_at, played_at FROM ratings_match",
    "SELECT match_id, player_id, team, rank, left_early FROM ratings_participant",
)
_IN = (
    "SELECT player_id, at, games, expected, actual, weight, value_before, value_after, deviation_before,"
    " deviation_after, status_before FROM ratings_ratingchange",
    "SELECT player_id, value, deviation, as_of, games, counted, wins, draws, losses, leaves, status,"
    " last_played_at FROM ratings_rating",
)


def run() -> Iterator[Figure]:
    """Fill, rate once, and measure the bare COPY on the same server."""
    track = _fill()
    report = _rate(track)
    peer = _copy()
    players, matches = f"{PLAYERS:,} players", f"{MATCHES:,} matches"
    yield Figure(
        name=f"period: {matches}, {players}, confirmed to committed",
        value=round(report.seconds, 3),
        unit="s",
        peer="bare COPY out and in of the same columns, through the same client library",
        peer_value=round(peer, 3),
    )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    yield Figure(name="period: peak memory of the process", value=round(peak), unit="MB")
    if backend := _backend_peak():
        yield Figure(name="period: peak memory of its database session", value=backend, unit="MB")


def _fill() -> RatingTrack:
    with transaction.atomic():
        game = Game.objects.create(slug="bench-period", name="Period", simulated=True)
        ladder = Ladder.objects.create(game=game, slug="bench-period", name="Period")
        track = create_track(
            ladder=ladder, system="glicko", parameters={}, period_days=PERIOD_DAYS, shown=True
        )
        names: dict[str, Any] = {"game": game.pk, "ladder": ladder.pk, "start": START}
        sizes = {"players": PLAYERS, "matches": MATCHES}
        with connection.cursor() as cursor:
            for statement in (_PLAYERS, _MATCHES, _PARTICIPANTS):
                cursor.execute(statement, {**names, **sizes})
        last = START + timedelta(seconds=2 * MATCHES)
        Ladder.objects.filter(pk=ladder.pk).update(last_seq=MATCHES, counted_until=last)
    with connection.cursor() as cursor:  # as it stands once autovacuum has been there
        cursor.execute("VACUUM (ANALYZE) ratings_match, ratings_participant, ratings_player")
        cursor.execute("CHECKPOINT")
    return track


def _rate(track: RatingTrack) -> RunReport:
    report = rate_track(track.pk, until=START + timedelta(days=PERIOD_DAYS))
    assert (report.matches, report.periods) == (MATCHES, 1), report
    assert track.changes.count() == report.players
    return report


def _copy() -> float:
    """Seconds to COPY out what a run reads, and COPY in what it writes, into a bare table."""
    connection.ensure_connection()
    native: psycopg.Connection[tuple[object, ...]] = connection.connection
    with closing(native.cursor()) as cursor:
        outcome = [copy_out(cursor, query) for query in _IN]
        began = time.monotonic()
        for query in _OUT:
            copy_out(cursor, query)
        out = time.monotonic() - began
        return out + sum(
            copy_in(cursor, query, rows) for query, rows in zip(_IN, outcome, strict=True)
        )


def copy_out(cursor: psycopg.Cursor[tuple[object, ...]], query: str) -> list[bytes]:
    """The rows of a query as COPY sends them."""
    with cursor.copy(f"COPY ({query}) TO STDOUT (FORMAT binary)".encode()) as copy:
        return [bytes(block) for block in copy]


def copy_in(cursor: psycopg.Cursor[tuple[object, ...]], query: str, blocks: list[bytes]) -> float:
    """Seconds to COPY the rows of a query into a bare table."""
    cursor.execute(f"CREATE TABLE bare AS {query} LIMIT 0".encode())
    rows, began = b"".join(blocks), time.monotonic()
    with cursor.copy("COPY bare FROM STDIN (FORMAT binary)") as copy:
        for start in range(0, len(rows), 1 << 20):
            copy.write(rows[start : start + (1 << 20)])
    seconds = time.monotonic() - began
    cursor.execute("DROP TABLE bare")
    return seconds


def _backend_peak() -> int | None:
    """Peak memory of this session in MB, shared buffers it touched included; None on another machine."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (pid,) = cursor.fetchone()
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return None
    lines = (line.split() for line in status.splitlines())
    return next((int(words[1]) // 1024 for words in lines if words[0] == "VmHWM:"), None)
