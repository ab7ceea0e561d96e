"""Searching among 1,000,000 players by words of their names.

Times are the server's own: the sum of the execution times of all queries of one page of results, each run again under
EXPLAIN (ANALYZE, TIMING OFF). The peer looks for the same text anywhere in the name, without an index of words.
"""

import random
import time
from collections.abc import Iterator
from functools import cache

import numpy as np
from django.db import connection

from benchmarks.figure import Figure
from benchmarks.leaderboard import execution_time, recorded
from foundation.names import search_words, skeleton_of
from leaderboards.players.search import SearchCursor, find_players
from ratings.models import Game, Player

NAME = "search"
PLAYERS, CALLS, PEER_CALLS = 1_000_000, 20, 1
_SYLLABLES = [
    "an",
    "ar",
    "bel",
    "bo",
    "cor",
    "da",
    "dor",
    "el",
    "fa",
    "fen",
    "gar",
    "hal",
    "is",
    "jo",
    "ka",
    "lu",
    "mar",
    "nor",
    "os",
    "per",
    "quin",
    "ra",
    "sol",
    "tor",
    "ul",
    "vi",
    "wen",
    "xa",
    "yor",
    "zed",
]
_COPY = "COPY ratings_player (game_id, kind, external_id, name, skeleton, search_keys) FROM STDIN"
# From the shortest, which fits the most, to words in the wrong order.
_QUERIES = (
    "a",
    "an",
    "marfa",
    "Farthing",
    "farthing 7",
    "marfa farthing",
    "farthing marfa",
    "9",
    "nobody",
)


def run() -> Iterator[Figure]:
    """Load, then measure each kind of query."""
    begin = time.perf_counter()
    load()
    yield Figure(name="search_load", value=round(time.perf_counter() - begin, 1), unit="s")
    for query in _QUERIES:
        yield from measure(query)


def load() -> None:
    """Write players of two names, or of one and a number."""
    chance = random.Random(7)
    game = Game.objects.create(slug=f"bench-{time.time_ns()}", name="Benchmark")
    first = [f"{one}{other}".capitalize() for one in _SYLLABLES for other in _SYLLABLES]
    last = [f"{name.lower()}{end}".capitalize() for name in first for end in ("thing", "son", "ov")]
    known = cache(lambda word: ("".join(search_words(word)), skeleton_of(word)))
    with connection.cursor() as cursor, cursor.copy(_COPY) as copy:
        for number in range(PLAYERS):
            words = [chance.choice(first), chance.choice(last) if number % 1000 else "Farthing"]
            if number % 3 == 0:
                words[1:] = [str(number)]
            keys, skeletons = zip(*map(known, words), strict=True)
            found = f"{{{''.join(keys)},{keys[1]}}}"
            copy.write_row(
                (game.pk, "person", str(number), " ".join(words), "".join(skeletons), found)
            )
    with connection.cursor() as cursor:
        cursor.execute("VACUUM (ANALYZE) ratings_player, ratings_searchkey")


def measure(query: str) -> Iterator[Figure]:
    """Its first page, and one from the middle of what follows."""
    peer = "ILIKE '%…%'"
    plain = Player.objects.filter(name__icontains=query).order_by("name", "pk")
    plains = [time_of(lambda: list(plain[:20])) for _ in range(PEER_CALLS)]
    pages: list[SearchCursor | None] = [None]
    for _ in range(5):
        if (after := find_players(query, after=pages[-1]).next) is None:
            break
        pages.append(after)
    for name, cursor in (("first", pages[0]), ("later", pages[-1])):
        times = [time_of(lambda: find_players(query, after=cursor)) for _ in range(CALLS)]  # noqa: B023
        for share in (50, 99):
            yield Figure(
                name=f"search_{query.replace(' ', '_')}_{name}_page_p{share}",
                value=round(float(np.percentile(times, share)), 2),
                unit="ms",
                peer=peer,
                peer_value=round(float(np.median(plains)), 2),
            )


def time_of(call: object) -> float:
    """Milliseconds of a call in the database."""
    assert callable(call)
    queries: list[tuple[str, object]] = []
    with recorded(queries):
        call()
    return sum(execution_time(*query) for query in queries)
