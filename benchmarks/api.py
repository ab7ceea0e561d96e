"""The API through gunicorn on 2 processes, with 1,000 event streams open: mixed requests, reports, batches of results.

The peer is a bare insert of one row by Django REST framework, on the same server in the same run, by turns: it signs
nobody in, limits nothing, and neither looks up, locks, checks nor tells anything. Beside each rate stands the time of
the server's processors for one answer, which other work on the machine disturbs less. At last 5,000 streams are open.
"""

import resource
import time
from collections.abc import Iterator
from datetime import timedelta
from itertools import count, cycle, islice
from statistics import median

from benchmarks.bare.rows import make_table
from benchmarks.figure import Figure
from benchmarks.load.driving import Load, Run, drive
from benchmarks.load.league import League, make_league
from benchmarks.load.server import Server, web_server
from benchmarks.load.streams import Streams
from benchmarks.load.wire import request
from foundation import clock

NAME = "api"
PROCESSES, STREAMS, MOST_STREAMS, CONNECTIONS = 2, 1000, 5000, 16
ROUNDS, ROUND_SECONDS = 5, 4.0
# In one round: more than are taken.
ROUND_MATCHES, MIX_MATCHES, WAITING = 3200, 800, 400
BATCHES, BATCH = 20, 1000
V1 = "/api/v1"
PEER = "bare insert of one row by Django REST framework"


def run() -> Iterator[Figure]:
    """Fill the database, start the server, open the streams, and measure."""
    make_table()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    # One mix more than there are rounds, for the second server: who searches already would be refused.
    mixes = ROUNDS + 1
    league = make_league(
        matches=ROUNDS * ROUND_MATCHES + mixes * MIX_MATCHES,
        waiting=WAITING,
        free=mixes * MIX_MATCHES,
        streams=STREAMS,
    )
    with web_server(processes=PROCESSES) as server, Streams(server.port, league.tokens) as streams:
        drive(server, bare(league), seconds=2.0)  # both processes have loaded everything
        yield from measure_rates(server, league, streams)
    # A server of its own: the other one's processes are about to be replaced, after so many requests.
    with web_server(processes=PROCESSES) as server:
        drive(server, bare(league), seconds=2.0)
        with Streams(server.port, league.tokens[:100]):
            drive(server, mix(league, ROUNDS), seconds=2.0)
        yield measure_streams(server, league)


def measure_rates(server: Server, league: League, streams: Streams) -> Iterator[Figure]:
    """Bare inserts, the mix and reports by turns; the medians. Then batches."""
    bares, mixes, reported = [], [], []
    for number in range(ROUNDS):
        bares.append(drive(server, bare(league), seconds=ROUND_SECONDS))
        mixes.append(drive(server, mix(league, number), seconds=ROUND_SECONDS))
        reported.append(drive(server, reports(league, number), seconds=ROUND_SECONDS))
    batched = drive(server, batches(league), seconds=60.0)
    if not streams.are_all_open() or not streams.heard:
        raise RuntimeError(f"{len(streams)} streams are open and have heard {streams.heard} events")
    bare_rate = median(one.rate for one in bares)
    for words, runs in (
        ("1 join, 5 polls, 2 reports, 2 leaderboards in turn", mixes),
        ("reports, every second one confirms a match", reported),
    ):
        yield from beside_bare(words, runs, bares)
    for kind in ("join", "poll", "report", "leaderboard"):
        p99 = median(one.p99(kind) for one in mixes)
        yield Figure(name=f"api: {kind} in the mix, p99", value=round(p99, 1), unit="ms")
    yield Figure(
        name="api: results in batches of 1,000",
        value=round(BATCH * len(batched.asked) / batched.seconds),
        unit="results/s",
        peer=PEER,
        peer_value=round(bare_rate, 1),
    )


def beside_bare(words: str, runs: list[Run], bares: list[Run]) -> Iterator[Figure]:
    """Rate, processor time and p99 of some requests, each beside those of bare inserts."""
    for name, unit, ours, theirs in (
        ("", "requests/s", [it.rate for it in runs], [it.rate for it in bares]),
        (", processors", "ms/request", [it.cpu_ms for it in runs], [it.cpu_ms for it in bares]),
        (", p99", "ms", [it.p99() for it in runs], [it.p99() for it in bares]),
    ):
        yield Figure(
            name=f"api: {words}{name}, {CONNECTIONS} connections, {STREAMS} streams open",
            value=round(median(ours), 2),
            unit=unit,
            peer=PEER,
            peer_value=round(median(theirs), 2),
        )


def measure_streams(server: Server, league: League) -> Figure:
    """Memory of the server's processes, by the streams they hold: those that are opened at once, and stay."""
    before = server.memory()
    tokens = list(islice(cycle(league.tokens), MOST_STREAMS))
    with Streams(server.port, tokens) as streams:
        time.sleep(5.0)
        held = server.memory() - before
        if len(streams) != MOST_STREAMS:
            raise RuntimeError(f"{len(streams)} streams are open")
    words = f"api: memory of a stream, {MOST_STREAMS} on {PROCESSES} processes"
    return Figure(name=words, value=round(held / MOST_STREAMS / 1024, 1), unit="KiB")


def bare(league: League) -> Load:
    """Inserts with the content of reports."""
    body = {"match": 1, "player": league.free[0], "outcome": "won"}
    return [[("bare", request("POST", "/bare", body=body))] * 4000] * CONNECTIONS


def reports(league: League, number: int) -> Load:
    """Both players of each match, one after the other; other matches in each round."""
    matches = league.matches[ROUND_MATCHES * number : ROUND_MATCHES * (number + 1)]
    return [
        [order for match in matches[index::CONNECTIONS] for order in both(league, match)]
        for index in range(CONNECTIONS)
    ]


def both(league: League, match: tuple[int, str, str]) -> list[tuple[str, bytes]]:
    """The two reports that confirm a match."""
    pk, *players = match
    path = f"{V1}/matches/{pk}/reports"
    return [
        ("report", request("POST", path, key=league.key, body={"player": name, "outcome": said}))
        for name, said in zip(players, ("won", "lost"), strict=True)
    ]


def mix(league: League, number: int, *, first: int = ROUNDS * ROUND_MATCHES) -> Load:
    """Each connection does the same ten things over and over, beginning at another one."""
    board = (
        "leaderboard",
        request("GET", f"{V1}/ladders/{league.slug}/leaderboard", key=league.key),
    )
    polls = [
        ("poll", request("GET", f"{V1}/tickets/{pk}", key=league.key)) for pk in league.waiting
    ]
    numbers = count()
    loads: list[list[tuple[str, bytes]]] = [[] for _ in range(CONNECTIONS)]
    start = first + MIX_MATCHES * number
    for index, match in enumerate(league.matches[start : start + MIX_MATCHES]):
        body = {"queue": league.slug, "player": league.free[MIX_MATCHES * number + index]}
        join = ("join", request("POST", f"{V1}/tickets", key=league.key, body=body))
        five = [polls[next(numbers) % len(polls)] for _ in range(5)]
        loads[index % CONNECTIONS] += [join, *five, *both(league, match), board, board]
    return [load[index % 10 :] for index, load in enumerate(loads)]


def batches(league: League) -> Load:
    """Matches among the players of the league, all new, on two connections."""
    began = clock.now() - timedelta(hours=1)
    played = [
        {
            "ladder": league.slug,
            "external_id": f"batch-{number}",
            "teams": [[one], [other]],
            "ranks": [0, 1],
            "played_at": (began + timedelta(milliseconds=number)).isoformat(),
        }
        for number, (_pk, one, other) in zip(range(BATCHES * BATCH), cycle(league.matches))
    ]
    made = [
        (
            "batch",
            request(
                "POST", f"{V1}/results", key=league.key, body={"results": played[at : at + BATCH]}
            ),
        )
        for at in range(0, len(played), BATCH)
    ]
    return [made[::2], made[1::2]]
