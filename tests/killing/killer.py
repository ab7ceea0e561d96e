"""Kills and stops workers: at random moments, and exactly where it hurts."""

import enum
import random
import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import psycopg

from tests.killing.children import LOCK_DEADLINE, RUN_DEADLINE
from tests.killing.defences import Defence
from tests.killing.processes import Child
from tests.killing.sessions import Phase, await_phase, look_at

__all__ = ["Hit", "Killer", "Order", "orders_for"]

_CLAIMED_FOR = """
SELECT extract(epoch FROM max(deadline) - clock_timestamp())::float8 FROM ratings_ratingrun WHERE backend = %s
"""
_IS_THERE = "SELECT count(*) FROM pg_stat_activity WHERE pid = %s AND application_name = %s"
AIM_SECONDS = 60.0
FEEDER_SHARE = 0.1


class Order(enum.Enum):
    """One thing to do to one worker."""

    KILL = "SIGKILL at random"
    KILL_HOLDING = "SIGKILL while it holds the lock"
    STOP = "SIGSTOP at random"
    STOP_COPYING = "SIGSTOP in the middle of COPY"
    STOP_HOLDING = "SIGSTOP while it holds the lock"

    @property
    def phase(self) -> Phase | None:
        """Where to aim; None for anywhere."""
        aims = {Order.KILL_HOLDING, Order.STOP_HOLDING}
        return Phase.HOLDING if self in aims else _COPYING.get(self)

    @property
    def is_stop(self) -> bool:
        """Whether the worker is stopped for long rather than killed at once."""
        return self in {Order.STOP, Order.STOP_COPYING, Order.STOP_HOLDING}


_COPYING = {Order.STOP_COPYING: Phase.COPYING}
# Of a hundred.
_SHARES = {
    Order.KILL: 50,
    Order.KILL_HOLDING: 10,
    Order.STOP: 15,
    Order.STOP_COPYING: 15,
    Order.STOP_HOLDING: 10,
}


def orders_for(kills: int, dice: random.Random) -> list[Order]:
    """Return so many orders in random order; every kind at least once where there are enough."""
    shares = list(_SHARES.values())
    orders = list(_SHARES)[:kills]
    for kind, share in _SHARES.items():
        orders += [kind] * round(max(0, share * kills / 100 - 1))
    orders += dice.choices(list(_SHARES), shares, k=max(0, kills - len(orders)))
    dice.shuffle(orders)
    return orders[:kills]


@dataclass(frozen=True)
class Hit:
    """One order carried out.

    at        time.monotonic() when the worker stood still
    phase     what it was at then
    is_ended  whether the session of a worker that was stopped for long was gone by the end of it
    """

    at: float
    order: Order
    phase: Phase
    is_ended: bool = False


@dataclass
class Killer:
    """Carries orders out on the workers, and notes what each hit.

    missed  aimed orders for which nobody came into sight; carried out at random instead
    """

    session: psycopg.Connection[Any]
    workers: Sequence[Child]
    feeder: Child
    dice: random.Random
    without: frozenset[Defence] = frozenset()
    hits: list[Hit] = field(default_factory=list)
    missed: int = 0
    feeder_kills: int = 0

    def carry_out(self, order: Order) -> None:
        """Wait a moment, hit one worker, and see that it runs again."""
        time.sleep(self.dice.uniform(0.02, 0.5))
        if self.dice.random() < FEEDER_SHARE:
            self.feeder.kill()
            self.feeder.start()
            self.feeder_kills += 1
        worker, phase, backend = self._catch(order)
        at = time.monotonic()
        is_ended = order.is_stop and self._outstay(worker, backend)
        self.hits.append(Hit(at, order, phase, is_ended))
        if order.is_stop and self.dice.random() < 0.5:
            worker.send(signal.SIGCONT)
        else:
            worker.kill()
            worker.start()

    def _outstay(self, worker: Child, backend: int) -> bool:
        """Wait until the stopped worker is past every deadline; says whether its session has been ended."""
        row = self.session.execute(_CLAIMED_FOR, [backend]).fetchone()
        claimed_for = row[0] if row and row[0] else 0.0
        time.sleep(max(claimed_for, RUN_DEADLINE, LOCK_DEADLINE) + self.dice.uniform(0.3, 1.5))
        return self.session.execute(_IS_THERE, [backend, worker.name]).fetchone() == (0,)

    def _catch(self, order: Order) -> tuple[Child, Phase, int]:
        """Stop a worker that is where the order wants it; it is told by its session once it cannot move."""
        deadline = time.monotonic() + AIM_SECONDS
        phase = self._aim_of(order)
        while phase and time.monotonic() < deadline:
            if (caught := self._stop_in(phase)) is not None:
                worker, backend = caught
                return worker, phase, backend
        self.missed += phase is not None
        worker = self.dice.choice(self.workers)
        worker.send(signal.SIGSTOP)
        time.sleep(0.003)
        seen = look_at(self.session, [worker.name])
        return worker, *((seen[0].phase, seen[0].backend) if seen else (Phase.IDLE, 0))

    def _aim_of(self, order: Order) -> Phase | None:
        """Where to aim. Where no lock is taken, the nearest thing to holding it."""
        if order.phase is not Phase.HOLDING or Defence.LOCK not in self.without:
            return order.phase
        return Phase.COPYING if Defence.TRANSACTION in self.without else Phase.BEFORE_LOCK

    def _stop_in(self, phase: Phase) -> tuple[Child, int] | None:
        """Stop the first worker seen in this phase; None if it had left it before it stood still."""
        seen = await_phase(self.session, self._names, phase, seconds=AIM_SECONDS)
        if seen is None:
            return None
        worker = next(worker for worker in self.workers if worker.name == seen.name)
        worker.send(signal.SIGSTOP)
        time.sleep(0.05)  # what it had sent already is worked off
        if seen in look_at(self.session, [worker.name]):
            return worker, seen.backend
        worker.send(signal.SIGCONT)
        return None

    def _names(self) -> list[str]:
        return [worker.name for worker in self.workers]
