"""Processes that are killed, stopped, and started again."""

import os
import signal
from collections.abc import Callable
from dataclasses import replace
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

from tests.killing.children import Terms
from tests.processes import forks

__all__ = ["Child", "run_to_end"]

PATIENCE = 120.0


def run_to_end(target: Callable[..., None], terms: Terms, *arguments: Any) -> None:
    """Run one process that nobody kills. Raises RuntimeError, with what it printed, if it fails or takes minutes."""
    process = forks().Process(target=target, args=(terms, *arguments), daemon=True)
    process.start()
    process.join(PATIENCE)
    if process.exitcode != 0:
        process.kill()
        complaints = Path(terms.trouble)
        words = complaints.read_text()[-4000:] if complaints.exists() else ""
        raise RuntimeError(f"{target.__name__} ended with {process.exitcode}\n{words}")


class Child:
    """One part of the scene. Each time it is started it has a new name in the database, and new dice."""

    def __init__(self, target: Callable[[Terms], None], terms: Terms) -> None:
        self._target, self._terms = target, terms
        self._starts = 0
        self.start()

    def start(self) -> None:
        """Start it; the one before must be dead."""
        self._starts += 1
        self.name = f"{self._terms.name}-{self._starts}"
        terms = replace(self._terms, name=self.name, seed=self._terms.seed + 1000 * self._starts)
        self._process: ForkServerProcess = forks().Process(
            target=self._target, args=(terms,), daemon=True
        )
        self._process.start()

    def send(self, number: signal.Signals) -> None:
        """Send it a signal."""
        if self._process.pid is not None and self._process.is_alive():
            os.kill(self._process.pid, number)

    def kill(self) -> None:
        """End it as the system does when memory runs out: at once, whatever it is doing."""
        self.send(signal.SIGKILL)
        self._process.join(PATIENCE)

    def leave(self) -> None:
        """Ask it to end when it has finished what it is doing; killed if it does not."""
        self.send(signal.SIGTERM)
        self._process.join(PATIENCE)
        self.kill()

    @property
    def is_alive(self) -> bool:
        """Whether it runs, or could."""
        return self._process.is_alive()
