"""200 visitors with a live board that changes every 20 s: what that takes of the web server.

Each has a stream open, hears of the change, and asks for the part of its page half a second to two and a half later,
as static/js/live.js does; all see the same board, so that it should be rendered once in each process.
"""

import random
import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from statistics import median

from benchmarks.figure import Figure

NAME = "pages-live"
VISITORS, PLAYERS, PROCESSES, CONNECTIONS = 200, 10_000, 2, 8
ROUNDS, SECONDS = 3, 20.0
_HEARD_WITHIN = 10.0
_AGAIN = re.compile(rb'id="standings"[^>]*hx-get="([^"]+)"')


def run() -> Iterator[Figure]:
    """Open the streams, then rounds without a change and with one by turns; the medians."""
    from benchmarks import leaderboard
    from benchmarks.load.server import web_server
    from benchmarks.load.streams import Streams
    from leaderboards.boards import refresh

    track = leaderboard.load(PLAYERS)
    board = track.ladder.get_absolute_url()
    path = f"/live/?topic=ladder:{track.ladder_id}"
    nobody = [""] * VISITORS
    with (
        web_server(processes=PROCESSES) as server,
        Streams(server.port, nobody, path=path, counted=b"standings.updated") as streams,
    ):
        visitors = _Visitors(server.port, board)
        quiet, busy = [], []
        for number in range(ROUNDS):
            quiet.append(_cpu(server.cpu_seconds, lambda: None))
            heard = streams.heard
            revision = number + 2

            def change(heard: int = heard, revision: int = revision) -> None:
                leaderboard.change(track, revision)
                refresh.refresh(track.pk)
                until = time.monotonic() + _HEARD_WITHIN
                while streams.heard < heard + VISITORS:
                    if time.monotonic() > until:
                        raise RuntimeError(
                            f"{streams.heard - heard} of {VISITORS} have heard of it"
                        )
                    time.sleep(0.01)
                visitors.ask()

            busy.append(_cpu(server.cpu_seconds, change))
    yield Figure(
        name=f"pages: live board, {VISITORS} visitors, a change every {SECONDS:.0f} s",
        value=round(median(busy), 2),
        unit="% of a core",
        peer="the same streams, and no change",
        peer_value=round(median(quiet), 2),
    )


def _cpu(seconds: Callable[[], float], act: Callable[[], None]) -> float:
    """What the web server computes within a round, in per cent of one core."""
    began, used = time.monotonic(), seconds()
    act()
    time.sleep(max(0.0, began + SECONDS - time.monotonic()))
    return 100 * (seconds() - used) / (time.monotonic() - began)


class _Visitors:
    """All who look at a board, on some connections; each asks with the version that its own page shows."""

    def __init__(self, port: int, board: str) -> None:
        from benchmarks.load.wire import Connection

        self._connections = [Connection(port) for _ in range(CONNECTIONS)]
        self._chance = random.Random(7)
        self._again = [self._seen(number % CONNECTIONS, board) for number in range(VISITORS)]

    def ask(self) -> None:
        """Let each ask once; RuntimeError where one is told that nothing is new."""
        began = time.monotonic()
        due = sorted((0.5 + 2 * self._chance.random(), number) for number in range(VISITORS))

        def work(lane: int) -> None:
            for wait, number in due[lane::CONNECTIONS]:
                time.sleep(max(0.0, began + wait - time.monotonic()))
                self._again[number] = self._seen(lane, self._again[number])

        with ThreadPoolExecutor(CONNECTIONS) as pool:
            list(pool.map(work, range(CONNECTIONS)))

    def _seen(self, lane: int, address: str) -> str:
        """Fetch a part, or the page at first; gives where its next version is to be asked for."""
        from benchmarks.load.wire import request

        part = ["HX-Request: true"] if "seen=" in address else []
        status, body = self._connections[lane].ask(request("GET", address, headers=part))
        found = _AGAIN.search(body)
        if status != 200 or found is None:
            raise RuntimeError(f"{address} answered {status}")
        return unescape(found[1].decode())
