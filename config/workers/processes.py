"""What the processes of Celery do besides tasks: load what tasks need, leave signs of life, stand in for beat.

And how beat keeps time.
"""

import gc
import importlib
import time
from contextlib import suppress
from datetime import timedelta
from typing import Any

import structlog
from celery import Celery
from celery.apps.beat import Beat
from celery.beat import PersistentScheduler
from celery.signals import after_task_publish
from django.core.cache import cache
from kombu.exceptions import OperationalError

from config.workers.task_queues import ALIVE_SECONDS, BEAT, sign_of_life
from foundation.cooldown import Cooldown

__all__ = [
    "HEAVY",
    "STANDS_IN_EVERY",
    "LightBeat",
    "Timetable",
    "load_all",
    "note_what_is_sent",
    "note_work",
    "wake_queues_if_nobody_does",
]

log = structlog.get_logger(__name__)

# Loaded late by the modules that need them, because most processes never do. Within a task of players who wait it takes
# a minute on a busy machine, and the time of the task is over.
HEAVY = (
    "matchmaking.preview.jobs",
    "matchmaking.sweep.run",
    "networkx",
    "ratings.tasks",
    "scipy.optimize",
    "scipy.sparse.csgraph",
    "scipy.sparse.linalg",
    "scipy.special",
)
STANDS_IN_EVERY = 1.0
_AHEAD, _LONG_AGO = timedelta(seconds=1), timedelta(days=1)
_EVERY = 1.0  # seconds between two signs of life
_noted_at: dict[str, float] = {}


class Timetable(PersistentScheduler):
    """The timetable of beat, for clocks that are set back: what ran at a time that has not come yet is due now.

    By Celery's own nothing would run until then, for it keeps these times over restarts too.
    """

    _is_told = Cooldown(60.0)

    def tick(self, *args: Any, **options: Any) -> float:
        """Send what is due; returns seconds until the next is."""
        now = self.app.now()
        ahead = [
            entry
            for entry in self.schedule.values()
            if entry.last_run_at is not None and entry.last_run_at > now + _AHEAD
        ]
        for entry in ahead:
            entry.last_run_at = now - _LONG_AGO
        if ahead:
            self._heap = None  # in the order of those times
        waits: float = super().tick(*args, **options)
        return waits

    def apply_entry(self, entry: Any, producer: Any = None) -> None:
        """Send a wake-up. What the broker refuses is told once a minute, in a line: Celery's own writes pages of it."""
        try:
            self.apply_async(entry, producer=producer, advance=False)
        except Exception as error:
            if not self._is_told.is_on:
                log.warning("beat.not_sent", task=entry.task, error=str(error))
                self._is_told.begin()


class LightBeat(Beat):
    """Celery's beat without the site: it sends tasks by their names, with what the timetable and the routes say."""

    app: Celery

    def init_loader(self) -> None:
        """Load neither tasks nor Django's apps: they are most of a start, and players wait meanwhile."""
        self.app.finalize()
        # As config.apps does where Django's apps are loaded: the settings have put the garbage collector off.
        gc.freeze()
        gc.enable()


def load_all() -> None:
    """Load the modules that tasks need late."""
    for name in HEAVY:
        importlib.import_module(name)


def note_work(worker: str | None) -> None:
    """Note in the cache that the worker of this name works; many times a second are once."""
    now = time.monotonic()
    if worker and now >= _noted_at.get(worker, -_EVERY) + _EVERY:
        _noted_at[worker] = now
        cache.set(sign_of_life(worker), True, timeout=ALIVE_SECONDS)


def note_what_is_sent() -> None:
    """From now on, let each task that this process sends be a sign of life of beat."""
    after_task_publish.connect(_note_sent, weak=False)


def _note_sent(**_: Any) -> None:
    note_work(BEAT)


def wake_queues_if_nobody_does() -> None:
    """Have the queues swept where nobody asked for it for two seconds: beat is away, or just being started again."""
    from matchmaking.tasks import is_woken, run_queues

    if not is_woken():
        with suppress(OperationalError):
            run_queues.apply_async(retry=False, expires=2)
