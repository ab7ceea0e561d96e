"""Progress on a terminal: a bar with what is done and how fast. Nothing where nobody looks."""

import logging
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskProgressColumn, TextColumn
from rich.text import Text

__all__ = ["Advance", "progress", "without_progress"]

_bars: list[Progress] = []  # those on the terminal now


class Advance(Protocol):
    """Tells the bar that `count` things are done, which part of `total` that is, and what comes now, if known."""

    def __call__(
        self, count: int, done: float = 0, total: float | None = None, label: str = ...
    ) -> None: ...


class _Count(ProgressColumn):
    """How many, and how many a second from the start to the last of them."""

    def __init__(self, unit: str) -> None:
        super().__init__()
        self._unit = unit

    def render(self, task: Task) -> Text:
        count, seconds = task.fields["count"], task.fields["seconds"]
        rate = f"  {count / seconds:,.0f}/s" if seconds > 0 else ""
        return Text(f"{count:,} {self._unit}{rate}")


@contextmanager
def progress(label: str, unit: str, *, quiet: bool = False) -> Iterator[Advance]:
    """Show a bar named `label` that counts `unit` while the block runs, if stderr is a terminal."""
    console = Console(stderr=True)
    shown = console.is_terminal and not quiet
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), _Count(unit))
    with ExitStack() as stack:
        if shown:
            stack.enter_context(_only_warnings_in_the_log())
        bars = stack.enter_context(
            Progress(*columns, console=console, disable=not shown, transient=True)
        )
        _bars.append(bars)
        stack.callback(_bars.remove, bars)
        task = bars.add_task(label, total=None, count=0, seconds=0.0)
        begun = time.monotonic()

        def advance(
            count: int, done: float = 0, total: float | None = None, label: str = label
        ) -> None:
            seconds = time.monotonic() - begun
            bars.update(
                task, completed=done, total=total, description=label, count=count, seconds=seconds
            )

        yield advance


@contextmanager
def without_progress() -> Iterator[None]:
    """Take the bar off the terminal while the block runs, which asks something."""
    for bars in _bars:
        bars.stop()
    yield
    for bars in _bars:
        bars.start()


@contextmanager
def _only_warnings_in_the_log() -> Iterator[None]:
    """Keep the lines of the log, which go to the same terminal, from tearing the bar apart."""
    root = logging.getLogger()
    level = root.level
    root.setLevel(max(level, logging.WARNING))
    try:
        yield
    finally:
        root.setLevel(level)
