"""Sending prepared requests on many connections from several processes, each as soon as the one before is answered."""

import multiprocessing
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np

from benchmarks.load.server import Server
from benchmarks.load.wire import Connection

__all__ = ["Asked", "Load", "Run", "drive"]

PROCESSES = 2

# A kind of request, and its bytes; all that one connection sends, in order.
Order = tuple[str, bytes]
Load = Sequence[Sequence[Order]]


@dataclass(frozen=True, slots=True)
class Asked:
    """One request: when it was sent, and for how many seconds its answer was awaited."""

    kind: str
    status: int
    at: float
    seconds: float
    body: bytes = b""


@dataclass(frozen=True)
class Run:
    """All requests of a load. Raises where one was not answered well."""

    asked: list[Asked]
    cpu: float = 0.0  # seconds of the server's processes, where they were counted

    def __post_init__(self) -> None:
        bad = [one for one in self.asked if one.status >= 300]
        if bad or not self.asked:
            raise RuntimeError(f"{len(bad)} of {len(self.asked)} were refused: {bad[:1]}")

    @property
    def rate(self) -> float:
        """Answers a second."""
        return len(self.asked) / self.seconds

    @property
    def seconds(self) -> float:
        """From the first request to the last answer."""
        return max(one.at + one.seconds for one in self.asked) - min(one.at for one in self.asked)

    @property
    def cpu_ms(self) -> float:
        """Milliseconds of the server's processors for one answer."""
        return 1000 * self.cpu / len(self.asked)

    def p99(self, kind: str = "") -> float:
        """Milliseconds that 99 of 100 requests (of a kind) are answered in."""
        times = [one.seconds for one in self.asked if kind in ("", one.kind)]
        return float(np.percentile(times, 99)) * 1000


def drive(server: Server, load: Load, *, seconds: float) -> Run:
    """Send a load for so many seconds, or until all of it is sent."""
    shares = [load[index::PROCESSES] for index in range(PROCESSES)]
    begin = (
        time.monotonic() + 2.0
    )  # so that all begin together: Linux has one clock for all processes
    work = partial(_send_all, server.port, begin, begin + seconds)
    cpu = server.cpu_seconds()
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(PROCESSES, mp_context=context) as pool:
        asked = [one for share in pool.map(work, shares) for one in share]
        return Run(asked, server.cpu_seconds() - cpu)


def _send_all(port: int, begin: float, end: float, load: Load) -> list[Asked]:
    with ThreadPoolExecutor(len(load)) as pool:
        return [one for asked in pool.map(partial(_send, port, begin, end), load) for one in asked]


def _send(port: int, begin: float, end: float, orders: Sequence[Order]) -> list[Asked]:
    asked, connection = [], Connection(port)
    time.sleep(max(0.0, begin - time.monotonic()))
    for kind, prepared in orders:
        at = time.monotonic()
        if at >= end:
            break
        status, body = connection.ask(prepared)
        kept = body if status >= 300 else b""
        asked.append(Asked(kind, status, at, time.monotonic() - at, kept))
    connection.close()
    return asked
