"""The API through gunicorn on 2 processes, with 200 event streams open: mixed requests, reports, batches of results.

The peer of a report is a bare insert of one row by Django REST framework, on the same server in the same run, by turns:
it signs nobody in, limits nothing, and neither looks up, locks, checks nor tells anything.
"""

from collections.abc import Iterator
from datetime import timedelta
from itertools import count, cycle
from statistics import median

from benchmarks.bare.rows import make_table
from benchmarks.figure import Figure
from benchmarks.load.driving import Load, Run, drive
from benchmarks.load.league import League, make_league
from benchmarks.load.server import web_server
from benchmarks.load.streams import Streams
from benchmarks.load.wire import request
from foundation import clock

NAME = "api"
PROCESSES, STREAMS, CONNECTIONS = 2, 200, 16
ROUNDS, ROUND_SECONDS, MIX_SECONDS = 5, 4.0, 20.0
ROUND_MATCHES, MIX_MATCHES, WAITING, FREE = 1600, 1600, 400, 2000
BATCHES, BATCH = 20, 1000
V1 = "/api/v1"


def run() -> Iterator[Figure]:
    """Fill the database, start the server, open the streams, and measure."""
    make_table()
    league = make_league(
        matches=ROUNDS * ROUND_MATCHES + MIX_MATCHES, waiting=WAITING, free=FREE, streams=STREAMS
    )
    rounds = [league.matches[ROUND_MATCHES * n : ROUND_MATCHES * (n + 1)] for n in range(ROUNDS)]
    with web_server(processes=PROCESSES) as port, Streams(port, league.tokens) as streams:
        drive(port, bare(league), seconds=2.0)  # both processes have loaded everything
        yield from measure_mix(port, mix(league), streams)
        yield from measure_reports(port, league, rounds)
        yield measure_batches(port, league)


def measure_mix(port: int, load: Load, streams: Streams) -> Iterator[Figure]:
    """Join, poll, report, leaderboard in turn."""
    done = drive(port, load, seconds=MIX_SECONDS)
    if len(streams) != STREAMS or not streams.heard:
        raise RuntimeError(f"{len(streams)} streams are open and have heard {streams.heard} events")
    named = f"api: 1 join, 5 polls, 2 reports, 2 leaderboards, {STREAMS} streams open"
    yield Figure(name=named, value=round(done.rate, 1), unit="requests/s")
    for kind in ("", "join", "poll", "report", "leaderboard"):
        words = f"{kind or 'all'}, {CONNECTIONS} connections, p99"
        yield Figure(name=f"api: {words}", value=round(done.p99(kind), 1), unit="ms")


def measure_reports(
    port: int, league: League, rounds: list[list[tuple[int, str, str]]]
) -> Iterator[Figure]:
    """Bare inserts and reports by turns; the medians."""
    bares, ours = [], []
    for matches in rounds:
        bares.append(drive(port, bare(league), seconds=ROUND_SECONDS).rate)
        ours.append(drive(port, reports(league, matches), seconds=ROUND_SECONDS).rate)
    yield Figure(
        name="api: reports, every second one confirms a match",
        value=round(median(ours), 1),
        unit="reports/s",
        peer="bare insert of one row by Django REST framework",
        peer_value=round(median(bares), 1),
    )


def measure_batches(port: int, league: League) -> Figure:
    """Finished matches, 1,000 a request, on two connections."""
    done: Run = drive(port, batches(league), seconds=60.0)
    rate = BATCH * len(done.asked) / done.seconds
    return Figure(name="api: results in batches of 1,000", value=round(rate), unit="results/s")


def bare(league: League) -> Load:
    """Inserts with the content of reports."""
    body = {"match": 1, "player": league.free[0], "outcome": "won"}
    return [[("bare", request("POST", "/bare", body=body))] * 4000] * CONNECTIONS


def reports(league: League, matches: list[tuple[int, str, str]]) -> Load:
    """Both players of each match, one after the other."""
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


def mix(league: League) -> Load:
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
    for index, match in enumerate(league.matches[ROUNDS * ROUND_MATCHES :]):
        body = {"queue": league.slug, "player": league.free[index]}
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
