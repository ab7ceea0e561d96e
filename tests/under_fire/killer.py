"""Kills processes one after the other, and stops others for long at the same time."""

import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import psycopg

from tests.killing.processes import Child
from tests.under_fire.watch import is_in_transaction

__all__ = ["Hit", "Killer"]

_AIM_SECONDS = 0.4


@dataclass(frozen=True)
class Hit:
    """One process hit.

    at         time.monotonic() when it stood still      kind   `kill` or `stop`
    who        what it was: sweeper, rater or player     inside whether it was in a transaction
    """

    at: float
    kind: str
    who: str
    inside: bool


@dataclass
class Killer:
    """Hits the processes of the scene, and starts those again that it killed. Two sessions: one a thread."""

    children: Sequence[Child]
    weights: Sequence[float]
    dice: random.Random
    hits: list[Hit] = field(default_factory=list)
    _held: set[int] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def kill_one(self, session: psycopg.Connection[Any], pause: float) -> None:
        """Kill one with SIGKILL, half of the time when it is seen in a transaction; another takes its place."""
        place = self._choose()
        try:
            child = self.children[place]
            inside = self._aim(session, child)
            at = time.monotonic()
            child.kill()
            child.start()
            self._note("kill", child, at, inside)
        finally:
            self._free(place)
        time.sleep(self.dice.uniform(0.5 * pause, 1.5 * pause))

    def stop_one(self, session: psycopg.Connection[Any], seconds: float) -> None:
        """Stop one with SIGSTOP for so long, most often within a transaction, then let it go on."""
        place = self._choose()
        try:
            child = self.children[place]
            inside = self._aim(session, child, always=True)
            child.send(signal.SIGSTOP)
            self._note("stop", child, time.monotonic(), inside)
            time.sleep(seconds)
            child.send(signal.SIGCONT)
        finally:
            self._free(place)

    def count(self) -> Counter[tuple[str, str, bool]]:
        """How many of each kind, whom, and whether inside a transaction."""
        return Counter((hit.kind, hit.who, hit.inside) for hit in self.hits)

    def _aim(self, session: psycopg.Connection[Any], child: Child, *, always: bool = False) -> bool:
        """Wait a moment for the process to be inside a transaction; says whether it was seen there last."""
        if not always and self.dice.random() < 0.5:
            time.sleep(self.dice.uniform(0, 0.05))
            return is_in_transaction(session, child.name)
        deadline = time.monotonic() + _AIM_SECONDS
        while time.monotonic() < deadline:
            if is_in_transaction(session, child.name):
                return True
        return False

    def _choose(self) -> int:
        """One that the other thread is not at."""
        while True:
            (place,) = self.dice.choices(range(len(self.children)), self.weights)
            with self._lock:
                if place not in self._held:
                    self._held.add(place)
                    return place

    def _free(self, place: int) -> None:
        with self._lock:
            self._held.discard(place)

    def _note(self, kind: str, child: Child, at: float, inside: bool) -> None:
        with self._lock:
            self.hits.append(Hit(at, kind, child.name.split("-")[0], inside))
