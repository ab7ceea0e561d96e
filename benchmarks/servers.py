"""Web servers beside each other: each serves the API with 1,000 event streams open, one after the other, by turns.

Granian is measured where it is installed. The site's own server refuses slow bodies, limits connections and ends
requests in time (config/web); the others are measured without that, as they come.
"""

import sys
from collections.abc import Iterator
from importlib.util import find_spec
from statistics import median

from benchmarks.api import CONNECTIONS, MIX_MATCHES, PROCESSES, bare, mix
from benchmarks.bare.rows import make_table
from benchmarks.figure import Figure
from benchmarks.load.driving import Run, drive
from benchmarks.load.league import League, make_league
from benchmarks.load.server import GUNICORN, web_server
from benchmarks.load.streams import Streams

NAME = "servers"
STREAMS, ROUNDS, SECONDS = 1000, 2, 4.0
_BIND = ("--bind", "127.0.0.1:{port}", "--workers", "{processes}")
_APPLICATION = "config.wsgi:application"
# A thread holds a stream for as long as that is open, and a process may get nearly all of them.
_THREADS = str(STREAMS + 4 * CONNECTIONS)
SERVERS = {
    "gunicorn with gevent, as the site runs it": GUNICORN,
    "gunicorn with threads": (
        *(sys.executable, "-m", "gunicorn", "--log-level", "warning", *_BIND),
        *("--worker-class", "gthread", "--threads", _THREADS, "--worker-connections", "4000"),
        *("--keep-alive", "5", _APPLICATION),
    ),
    "granian": (
        *(sys.executable, "-m", "granian", "--interface", "wsgi", "--log-level", "warning"),
        *("--host", "127.0.0.1", "--port", "{port}", "--workers", "{processes}"),
        *("--blocking-threads", _THREADS, "--backpressure", "4000", _APPLICATION),
    ),
}


def run() -> Iterator[Figure]:
    """The mix of `bin/bench api` and bare inserts on each server, in rounds; the medians."""
    make_table()
    chosen = {
        name: words
        for name, words in SERVERS.items()
        if name != "granian" or find_spec("granian") is not None
    }
    matches = ROUNDS * len(chosen) * MIX_MATCHES
    league = make_league(matches=matches, waiting=400, free=matches, streams=STREAMS)
    turns = [(name, words) for _round in range(ROUNDS) for name, words in chosen.items()]
    runs: dict[str, list[tuple[Run, Run, float]]] = {name: [] for name in chosen}
    for number, (name, words) in enumerate(turns):
        runs[name].append(_measure(league, number, words))
    for name, measured in runs.items():
        for what, unit, values in (
            ("mix", "requests/s", [ours.rate for ours, _bare, _memory in measured]),
            ("mix, processors", "ms/request", [ours.cpu_ms for ours, _bare, _memory in measured]),
            ("mix, p99", "ms", [ours.p99() for ours, _bare, _memory in measured]),
            (
                "bare insert, processors",
                "ms/request",
                [it.cpu_ms for _ours, it, _memory in measured],
            ),
            ("memory", "MB", [memory / 1e6 for _ours, _bare, memory in measured]),
        ):
            yield Figure(name=f"servers: {name}: {what}", value=round(median(values), 2), unit=unit)


def _measure(league: League, number: int, words: tuple[str, ...]) -> tuple[Run, Run, float]:
    with (
        web_server(processes=PROCESSES, words=words) as server,
        Streams(server.port, league.tokens),
    ):
        drive(server, bare(league), seconds=2.0)  # both processes have loaded everything
        ours = drive(server, mix(league, number, first=0), seconds=SECONDS)
        return ours, drive(server, bare(league), seconds=SECONDS), server.memory()
