"""Reading the leaderboard of 1,000,000 rated players, half of them hidden, and refreshing 100,000 of them.

Times of reading are the server's own: the sum of the execution times of all queries of one call, each run again
under EXPLAIN (ANALYZE, TIMING OFF) with the parameters of that call. Beside them stand times as the caller sees
them on the socket, with Django's work and planning. The peer is the plain query: OFFSET, and count(*) of those better.
"""

import random
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from django.db import connection

from benchmarks.figure import Figure
from leaderboards.boards import ranking, refresh
from leaderboards.models import Standing
from ratings.models import Game, Ladder, Rating, RatingTrack
from ratings.tracks.parameters import create_track

NAME = "leaderboard"
PLAYERS, CHANGED, CALLS, PEER_CALLS = 1_000_000, 100_000, 500, 5
_TIME = re.compile(r"Execution Time: ([0-9.]+) ms")
Call = Callable[[], object]

_PLAYERS = """
INSERT INTO ratings_player (game_id, kind, external_id, name, skeleton)
SELECT %s, 'person', n, 'Player ' || n, 'player ' || n FROM generate_series(1, %s) n
"""
# Half have rested too long. Games and deviations as on a ladder that is alive.
_RATINGS = """
INSERT INTO ratings_rating (track_id, player_id, value, deviation, as_of, games, counted, wins, draws, losses, leaves,
                            status, last_played_at, revision)
SELECT %(track)s, id, pg_temp.normal(1500, 300), 40 + 40 * random(), now() - interval '1 day', 90, 60, 40, 10, 40, 2, 2,
       now() - CASE WHEN id %% 2 = 0 THEN interval '1 day' ELSE interval '100 days' END, 1
FROM ratings_player WHERE game_id = %(game)s
"""
_CHANGE = """
UPDATE ratings_rating SET value = value + pg_temp.normal(0, 20), revision = %(revision)s
WHERE track_id = %(track)s AND player_id %% 10 = 0
"""
# PostgreSQL has one of its own from version 16 on only.
_NORMAL = """
CREATE OR REPLACE FUNCTION pg_temp.normal(mean float8, deviation float8) RETURNS float8 LANGUAGE sql
AS 'SELECT mean + deviation * sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random())'
"""


def run() -> Iterator[Figure]:
    """Load, measure reading, measure one refresh."""
    track = load()
    yield from measure_reading(track)
    yield measure_refresh(track)


def load(players: int = PLAYERS) -> RatingTrack:
    """Write players and ratings, and let the board follow them."""
    game = Game.objects.create(slug=f"bench-{time.time_ns()}", name="Benchmark")
    ladder = Ladder.objects.create(
        game=game, slug=game.slug, name="Benchmark", inactive_after_days=90
    )
    track = create_track(ladder=ladder, system="glicko", parameters={}, period_days=30, shown=True)
    given = {"track": track.pk, "game": game.pk}
    with connection.cursor() as cursor:
        cursor.execute(_NORMAL)
        cursor.execute(_PLAYERS, [game.pk, players])
        cursor.execute(_RATINGS, given)
        cursor.execute("ANALYZE ratings_player, ratings_rating")
    set_revision(track, 1)
    refresh.refresh(track.pk)
    assert ranking.counts(track).inactive == players // 2
    with connection.cursor() as cursor:
        cursor.execute("VACUUM (ANALYZE) leaderboards_standing, leaderboards_rankbucket")
    return track


def set_revision(track: RatingTrack, revision: int) -> None:
    """Say that a rating run has ended."""
    track.revision = revision
    track.save(update_fields=["revision"])


def change(track: RatingTrack, revision: int) -> None:
    """Give every tenth rating another value, as a rating run does; the board has yet to follow."""
    with connection.cursor() as cursor:
        cursor.execute(_CHANGE, {"track": track.pk, "revision": revision})
    set_revision(track, revision)


def measure_reading(track: RatingTrack) -> Iterator[Figure]:
    """Each kind of reading over random players and pages, beside the plain query for the same."""
    listed = Standing.objects.filter(track=track, listed=True)
    ids = list(listed.values_list("player_id", flat=True))
    chance, values = random.Random(5), dict(listed.values_list("player_id", "order_value"))

    def someone() -> int:
        return chance.choice(ids)

    deep = 50 * 9_999  # page 10,000 has these before it
    last = ranking.at_rank(track, deep).rows[0]
    cursor = ranking.Cursor(last.value, last.player_id)
    better = listed.order_by()
    pages = listed.select_related("player", "rating").order_by("-order_value", "player_id")
    yield from compare("first_page", lambda: ranking.page(track), lambda: list(pages[:50]))
    plain_deep: Call = lambda: list(pages[deep : deep + 50])  # noqa: E731
    yield from compare("page_10000", lambda: ranking.page(track, after=cursor), plain_deep)
    yield from compare("page_10000_by_rank", lambda: ranking.at_rank(track, deep + 1), plain_deep)
    rank: Call = lambda: ranking.ranks_on([track], someone())  # noqa: E731
    plain_rank: Call = lambda: better.filter(order_value__gt=values[someone()]).count()  # noqa: E731
    yield from compare("rank_of_random_player", rank, plain_rank)

    def plain_around() -> object:
        above = better.filter(order_value__gt=values[someone()]).count()
        begin = max(0, above - 25)
        return list(pages[begin : begin + 50])

    yield from compare(
        "around_random_player", lambda: ranking.around(track, someone()), plain_around
    )
    yield from compare("counts", lambda: ranking.counts(track), listed.count)


def compare(name: str, call: Call, plain: Call) -> Iterator[Figure]:
    """p50 and p99 in the database with the plain query as peer, then as the caller sees them."""
    ours, peers = timed(call, CALLS), timed(plain, PEER_CALLS)
    for share in (50, 99):
        for index, where in enumerate(("database", "client")):
            yield Figure(
                name=f"leaderboard_{name}_{where}_p{share}",
                value=round(float(np.percentile(ours[index], share)), 3),
                unit="ms",
                peer="plain SQL query (OFFSET, count)",
                peer_value=round(float(np.percentile(peers[index], share)), 3),
            )


def timed(call: Call, times: int) -> tuple[list[float], list[float]]:
    """Milliseconds of each call in the database, and on the client."""
    database, client = [], []
    for _ in range(times):
        queries: list[tuple[str, Any]] = []
        with recorded(queries):
            begin = time.perf_counter()
            call()
            client.append((time.perf_counter() - begin) * 1000)
        database.append(sum(execution_time(*query) for query in queries))
    return database, client


@contextmanager
def recorded(queries: list[tuple[str, Any]]) -> Iterator[None]:
    """Note every query with its parameters."""

    def note(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        queries.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield


def execution_time(sql: str, params: Any) -> float:
    """Milliseconds that the server says a query takes."""
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN (ANALYZE, TIMING OFF) " + sql, params)
        plan = "\n".join(row[0] for row in cursor.fetchall())
    found = _TIME.search(plan)
    assert found is not None, plan
    return float(found[1])


def measure_refresh(track: RatingTrack) -> Figure:
    """One refresh after a rating run that changed every tenth rating."""
    change(track, 2)
    begin = time.perf_counter()
    written = refresh.refresh(track.pk)
    assert written == CHANGED == Rating.objects.filter(track=track, revision=2).count()
    return Figure(
        name="leaderboard_refresh_of_100000",
        value=round(time.perf_counter() - begin, 3),
        unit="s",
    )
