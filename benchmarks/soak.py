"""A whole site at half of what it can do, for half an hour: does anything fail, slow down, or grow?

    python -m benchmarks.soak [--minutes 30] [--streams 200]

Starts `bin/run --demo` on a data folder of its own, so that the demo's players play beside the load. Players
search, are matched by the sweep, accept and report, and read leaderboards and pages between; first as fast as
they are answered, which is the capacity, then at half of that rate. A request is late from the moment it was due.
Prints one JSON object a minute (rate, p50, p99, errors, and memory by process, shared pages divided among those who
share them), and at last how p99 and memory ended beside how they began, after the caches had filled.
"""

import argparse
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from statistics import median
from threading import Event, Lock, Thread
from typing import Any

import numpy as np
import psutil

from benchmarks.load.streams import Streams
from benchmarks.load.wire import PATIENCE, Connection, request

PROJECT = Path(__file__).resolve().parents[1]
LANES, CAPACITY_SECONDS, STARTS_WITHIN = 24, 60.0, 600.0
V1, SLUG = "/api/v1", "soak"
# Whoever sends so much has limits that allow it; counting goes on as usual.
_LIMITS = {
    **{f"EVENMATCH_LIMIT_SERVER_{work}": "100000000/60" for work in ("READ", "WRITE")},
    "EVENMATCH_STREAMS_PER_ADDRESS": "100000",
    "EVENMATCH_CONNECTIONS_PER_ADDRESS": "0",
    "EVENMATCH_WEB_PROCESSES": "2",
}
_ROLES = (
    ("web", "gunicorn"),
    ("demo", "demo_play"),
    ("worker", "config.workers worker"),
    ("beat", "config.workers beat"),
    ("postgres", "postgres"),
    ("valkey", "valkey"),
)


def main(arguments: list[str]) -> int:
    """Start the site, measure its capacity, then let it work; 1 where something failed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak")
    parser.add_argument("--minutes", type=int, default=30, help="how long; 30")
    parser.add_argument("--streams", type=int, default=200, help="open streams of pages; 200")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        site = _Site(Path(folder))
        try:
            site.start()
            return _soak(site, given.minutes, given.streams)
        finally:
            site.stop()


def _soak(site: "_Site", minutes: int, streams: int) -> int:
    key = site.make_league()
    board = f"/live/?topic=ladder:{site.ladder_id}"
    with Streams(site.port, [""] * streams, path=board) as opened:
        load = _Load(site.port, key)
        try:
            began = load.counted
            time.sleep(CAPACITY_SECONDS)
            capacity = (load.counted - began) / CAPACITY_SECONDS
            load.take()
            load.pace(capacity / 2)
            _say(
                {"capacity, requests/s": round(capacity, 1), "asked for from now on": "half of it"}
            )
            looks = [_look(site, load, opened, minute) for minute in range(1, minutes + 1)]
        finally:
            load.end()
    sixth = max(1, len(looks) // 6)
    first, last = looks[: 2 * sixth][-sixth:], looks[-sixth:]
    ends: dict[str, Any] = {
        "minutes compared": [[one["minute"] for one in some] for some in (first, last)]
    }
    for name in ("p50, ms", "p99, ms"):
        ends[name] = [median(one[name] for one in some) for some in (first, last)]
    for role in sorted(looks[-1]["memory, MB"]):
        before, after = (
            median(one["memory, MB"].get(role, 0.0) for one in some) for some in (first, last)
        )
        grown = f"{100 * (after / before - 1):+.1f}%" if before else "came later"
        ends[f"memory of {role}, MB"] = [before, after, grown]
    ends["errors"] = sum(one["errors"] for one in looks)
    _say(ends)
    return int(ends["errors"] > 0)


def _look(site: "_Site", load: "_Load", opened: Streams, minute: int) -> dict[str, Any]:
    time.sleep(60.0)
    times, errors = load.take()
    look = {
        "minute": minute,
        "requests/s": round(len(times) / 60, 1),
        "p50, ms": round(float(np.percentile(times, 50)) * 1000, 1),
        "p99, ms": round(float(np.percentile(times, 99)) * 1000, 1),
        "errors": sum(errors.values()),
        "streams": len(opened),
        "memory, MB": site.memory(),
    }
    _say({**look, "what failed": dict(errors)} if errors else look)
    return look


def _say(words: dict[str, Any]) -> None:
    print(json.dumps(words), flush=True)


@dataclass
class _Site:
    """`bin/run --demo` on a folder of its own."""

    folder: Path
    ladder_id: int = 0

    def start(self) -> None:
        """Start it, and wait until it is ready."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        ours = ("DATABASE_URL", "REDIS_URL", "EVENMATCH_", "DJANGO_", "PROMETHEUS_")
        self.environ = {name: it for name, it in os.environ.items() if not name.startswith(ours)}
        data = str(self.folder / "data")
        self.environ |= {**_LIMITS, "EVENMATCH_DATA_DIR": data, "EVENMATCH_PORT": str(self.port)}
        command = [str(PROJECT / "bin" / "run"), "--demo", "--data-dir", data]
        self.process = psutil.Popen(
            command, env=self.environ, stdout=sys.stderr, start_new_session=True
        )
        until = time.monotonic() + STARTS_WITHIN
        while time.monotonic() < until and self.process.poll() is None:
            try:
                if Connection(self.port).ask(request("GET", "/health/ready"))[0] == 200:
                    return
            except OSError:
                pass
            time.sleep(1.0)
        raise RuntimeError("the site does not start")

    def stop(self) -> None:
        """Stop it as Ctrl-C does."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait(120)

    def make_league(self) -> str:
        """A game with a ladder, a queue and players; returns a server's key."""
        self._manage("add_ladder", SLUG, "--game", SLUG, "--system", "elo")
        self._manage("add_queue", SLUG, "--ladder", SLUG)
        key = self._manage("add_server_key", SLUG, "--name", "soak").strip()
        asked = Connection(self.port)
        status, page = asked.ask(request("GET", f"/ladders/{SLUG}/"))
        found = re.search(rb"topic=ladder(?::|%3A)(\d+)|ladder:(\d+)", page)
        if status != 200 or found is None:
            raise RuntimeError(f"the leaderboard of the soak answered {status}")
        self.ladder_id = int(found[1] or found[2])
        for number in range(LANES):
            path = f"{V1}/players/by-external-id/{number}"
            status, body = asked.ask(
                request("PUT", path, key=key, body={"name": f"Soaked {_letters(number)}"})
            )
            if status >= 300:
                raise RuntimeError(f"{path} answered {status}: {body!r}")
        return key

    def _manage(self, *words: str) -> str:
        command = [sys.executable, "manage.py", *words]
        done = subprocess.run(
            command, cwd=PROJECT, env=self.environ, check=True, stdout=subprocess.PIPE, text=True
        )
        return done.stdout

    def memory(self) -> dict[str, float]:
        """Megabytes of all processes, by what they are: each with its part of the pages that several share."""
        found: Counter[str] = Counter()
        for one in self.process.children(recursive=True):
            try:
                words, pss = " ".join(one.cmdline()), one.memory_full_info().pss
            except psutil.Error:  # it has ended
                continue
            role = next((role for role, word in _ROLES if word in words), "other")
            found[role] += pss
        return {role: round(size / 1e6, 1) for role, size in found.items()}


def _letters(number: int) -> str:
    return "".join(chr(ord("a") + int(digit)) for digit in str(number))


@dataclass
class _Load:
    """Players, each with a connection, until `end`."""

    port: int
    key: str
    counted: int = 0
    _rate: float | None = None
    _times: list[float] = field(default_factory=list)
    _errors: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._lock, self._ended = Lock(), Event()
        self._begin, self._slots = time.monotonic(), count()
        # One that hangs keeps no process alive.
        self._threads = [
            Thread(target=self._play, args=(lane,), daemon=True) for lane in range(LANES)
        ]
        for thread in self._threads:
            thread.start()

    def pace(self, rate: float) -> None:
        """So many requests a second from now on, by all together."""
        with self._lock:
            self._rate, self._begin, self._slots = rate, time.monotonic(), count()

    def take(self) -> tuple[list[float], Counter[str]]:
        """What was measured since the last time."""
        with self._lock:
            taken = self._times, self._errors
            self._times, self._errors = [], Counter()
        return taken

    def end(self) -> None:
        """Let each end what it asks, as long as that may take."""
        self._ended.set()
        until = time.monotonic() + PATIENCE
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))

    def _play(self, lane: int) -> None:
        connection = Connection(self.port)
        while not self._ended.is_set():
            try:
                for _ in self._life(lane, connection):
                    if self._ended.is_set():
                        break
            except Exception as error:  # a lane that ended would leave the others more to do, and nobody would know
                with self._lock:
                    self._errors[f"lane: {error!r}"] += 1
                self._ended.wait(1.0)
        connection.close()

    def _life(self, lane: int, connection: Connection) -> Iterator[None]:
        """From the search to the result, and what is read meanwhile."""
        player = str(lane)

        def ask(
            method: str, path: str, body: Any = None, also: tuple[int, ...] = ()
        ) -> dict[str, Any]:
            key = self.key if path.startswith(V1) else ""
            prepared = request(method, path, key=key, body=body)
            status, answer = self._ask(connection, prepared, f"{method} {path}", also)
            found: dict[str, Any] = json.loads(answer) if key and status < 300 else {}
            return found

        # Who was matched keeps the match until both have reported it: 409.
        ticket = ask("POST", f"{V1}/tickets", {"queue": SLUG, "player": player}, (409,))
        yield
        other = ""
        while ticket and not ticket.get("match"):
            if ticket.get("state") in {"cancelled", "expired"}:
                return
            if (offer := ticket.get("offer")) and not offer["is_accepted"]:
                met = [one for team in offer["teams"] for one in team["players"]]
                other = next(one["external_id"] for one in met if one["external_id"] != player)
                # The offer may have ended meanwhile.
                path = f"{V1}/tickets/{ticket['id']}/accept"
                ticket = ask("POST", path, {}, (409,)) or ticket
                yield
            for path in (f"{V1}/ladders/{SLUG}/leaderboard", f"/ladders/{SLUG}/", "/"):
                ask("GET", path)
                yield
            for _ in range(5):
                ticket = ask("GET", f"{V1}/tickets/{ticket['id']}") or ticket
                yield
        if ticket:
            said = "won" if int(player) < int(other) else "lost"
            path = f"{V1}/matches/{ticket['match']}/reports"
            ask("POST", path, {"player": player, "outcome": said})
            yield

    def _ask(
        self, connection: Connection, prepared: bytes, words: str, also: tuple[int, ...]
    ) -> tuple[int, bytes]:
        with self._lock:
            rate = self._rate
            due = self._begin + next(self._slots) / rate if rate else time.monotonic()
        self._ended.wait(max(0.0, due - time.monotonic()))
        try:
            status, body = connection.ask(prepared)
        except (OSError, EOFError, ValueError) as error:
            status, body = 599, repr(error).encode()
            connection.close()
        with self._lock:
            self.counted += 1
            self._times.append(time.monotonic() - due)
            if status >= 300 and status not in also:
                self._errors[f"{status} {re.sub('[0-9]+', 'N', words)} {body[:200]!r}"] += 1
        return status, body


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
