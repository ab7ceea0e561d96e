"""Looks from outside, many times a second: whether the site answers, and whether its queues are swept."""

import threading
import time
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

import httpx
import psycopg

__all__ = ["Sweeps", "Visitor"]

PAGES = ("/health/ready", "/ladders/demo-blitz/")
_EVERY = 0.1  # seconds
_TIMEOUT = 10.0
_SWEPT = "SELECT max(swept_at)::text FROM matchmaking_queue"


@dataclass(frozen=True, slots=True)
class _Visit:
    began: float
    ended: float
    fault: str  # empty: none


class Visitor(threading.Thread):
    """One who asks for a page without end."""

    def __init__(self, url: str, path: str, patience: float = _TIMEOUT) -> None:
        super().__init__(name=f"visitor of {path}", daemon=True)
        self.patience = patience
        self.path = path
        self._url, self._ended = url + path, threading.Event()
        self._visits: list[_Visit] = []

    def run(self) -> None:
        """Ask until told to end; each time as a newcomer, with a connection of its own."""
        while not self._ended.wait(_EVERY):
            began = time.monotonic()
            try:
                fault = self.look()
            except httpx.TransportError as error:
                fault = type(error).__name__
            self._visits.append(_Visit(began, time.monotonic(), fault))

    def look(self) -> str:
        """Ask once; gives what is wrong with the answer, nothing where it is well. Raises TransportError."""
        answer = httpx.get(self._url, timeout=self.patience, trust_env=False)
        return "" if answer.is_success else str(answer.status_code)

    def end(self) -> None:
        """Stop asking."""
        self._ended.set()

    def answered_after(self, moment: float) -> float | None:
        """Seconds from this moment until the page came, and has come each time since; None if it does not now."""
        first = None
        for visit in reversed(self._visits):
            if visit.began < moment:
                break
            if visit.fault:
                return None if first is None else first - moment
            first = visit.ended
        return None if first is None else first - moment

    def faults(self, since: float = 0.0, until: float = float("inf")) -> Counter[str]:
        """What was wrong with visits that began between these moments, and how often."""
        return Counter(
            visit.fault for visit in self._visits if visit.fault and since <= visit.began < until
        )

    def visits(self) -> int:
        """How often it has asked."""
        return len(self._visits)

    def away(self) -> float:
        """The longest time without an answer: seconds from the last good visit before to the end of the first after."""
        longest, last = 0.0, None
        for before, visit in pairwise(self._visits):
            if visit.fault and not before.fault:
                last = before.ended
            elif before.fault and not visit.fault and last is not None:
                longest = max(longest, visit.ended - last)
        return longest


class Sweeps(threading.Thread):
    """Notes when queues were swept, by time.monotonic()."""

    def __init__(self, database_url: str) -> None:
        super().__init__(name="sweeps", daemon=True)
        self._url, self._ended = database_url, threading.Event()
        self._moments: list[float] = []

    def run(self) -> None:
        """Look until told to end, with a new session where the one before broke."""
        seen = None
        while not self._ended.wait(0.1):
            try:
                with psycopg.connect(self._url, autocommit=True, connect_timeout=5) as session:
                    while not self._ended.wait(0.05):
                        swept = session.execute(_SWEPT).fetchone()
                        if swept != seen:
                            seen = swept
                            self._moments.append(time.monotonic())
            except psycopg.Error:
                continue

    def end(self) -> None:
        """Stop looking."""
        self._ended.set()

    def wait_after(self, moment: float) -> float | None:
        """Seconds from this moment to the next sweep; None while there was none."""
        place = bisect_right(self._moments, moment)
        return self._moments[place] - moment if place < len(self._moments) else None
