"""What the processes of Celery do besides tasks."""

import os
import runpy
import subprocess
import sys
import threading
import time
import traceback
from datetime import UTC, datetime, timedelta
from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from celery import Celery
from celery.schedules import schedule
from django.conf import settings
from structlog.testing import capture_logs

from config import gunicorn
from config.celery import app
from config.embedded.paths import PROJECT
from config.embedded.processes import wait_until
from config.workers import processes
from matchmaking import tasks

LOADS_NOTHING_MORE = """
import sys
import config.celery  # the settings
import django
django.setup()
from config.workers.processes import load_all
load_all()
import numpy as np
import scipy
before = set(sys.modules)
costs = np.random.default_rng(1).random((9, 9))
scipy.optimize.linear_sum_assignment(costs)
scipy.optimize.minimize(lambda x: (x**2).sum(), np.ones(2))
scipy.sparse.csgraph.connected_components(scipy.sparse.coo_array(costs > 0.7), directed=False)
scipy.special.ndtr(costs)
import networkx
print(len(set(sys.modules) - before))
"""


@pytest.mark.full
def test_workers_have_loaded_what_tasks_need_before_the_first() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADS_NOTHING_MORE],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "0\n", done.stderr


@pytest.mark.usefixtures("own_cache")
def test_queues_are_woken_in_place_of_beat_only_while_nobody_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sent: list[int] = []
    monkeypatch.setattr(tasks.run_queues, "apply_async", lambda **_: sent.append(1))
    monkeypatch.setattr(tasks, "_WOKEN_FOR", 600)
    processes.wake_queues_if_nobody_does()
    processes.wake_queues_if_nobody_does()
    assert len(sent) == 1


@pytest.mark.django_db
@pytest.mark.usefixtures("own_cache")
def test_whoever_wakes_the_queues_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "_WOKEN_FOR", 600)
    tasks.run_queues()
    assert tasks.is_woken()


@pytest.mark.parametrize(("given", "connections"), [(None, "20"), ("5", "5"), ("0", "0")])
def test_the_pool_is_of_the_web_server_and_of_nobody_who_reads_its_settings(
    monkeypatch: pytest.MonkeyPatch, given: str | None, connections: str
) -> None:
    monkeypatch.setenv("EVENMATCH_DATABASE_POOL", given or "")
    if given is None:
        monkeypatch.delenv("EVENMATCH_DATABASE_POOL")
    settings = runpy.run_path(gunicorn.__file__)
    assert settings["raw_env"] == [f"EVENMATCH_DATABASE_POOL={connections}"]
    assert os.environ.get("EVENMATCH_DATABASE_POOL") == given


def test_a_web_process_gives_signs_of_life_while_it_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    """What this process did before is not counted as loading."""
    monkeypatch.setattr(gunicorn, "_LOADS_FOR", min(60.0, time.process_time() / 2))
    signs = threading.Semaphore(0)
    worker = SimpleNamespace(tmp=SimpleNamespace(notify=signs.release))
    gunicorn.post_fork(None, worker)
    assert signs.acquire(timeout=60)
    assert signs.acquire(timeout=60)
    assert gives_signs()
    worker.is_loading = False  # as post_worker_init does
    assert wait_until(lambda: not gives_signs(), seconds=60)


def gives_signs() -> bool:
    """Whether a thread, of whatever kind, still gives signs of life."""
    frames = chain.from_iterable(traceback.walk_stack(f) for f in sys._current_frames().values())
    return any(frame.f_code is gunicorn._show_life_while_loading.__code__ for frame, _ in frames)


@pytest.fixture
def beat_clock(monkeypatch: pytest.MonkeyPatch) -> list[timedelta]:
    """By how much the clock of beat is ahead."""
    ahead = [timedelta()]
    monkeypatch.setattr(Celery, "now", lambda _app: datetime.now(UTC) + ahead[0])
    return ahead


class Beat(processes.Timetable):
    """Sends nothing; notes what it would send."""

    def __init__(self, folder: Path) -> None:
        self.sent: set[str] = set()
        super().__init__(app=app, schedule_filename=str(folder / "timetable"))

    def apply_entry(self, entry: Any, producer: object = None) -> None:
        self.sent.add(entry.name)

    def run(self) -> set[str]:
        """Everything that is due now."""
        self.sent.clear()
        while self.tick() == 0:
            pass
        return set(self.sent)


def test_beat_says_once_and_in_a_line_that_wake_ups_are_not_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Celery's own writes two stacks each time: a gigabyte a day while Valkey is full."""

    def refuse(*_args: object, **_options: object) -> None:
        raise OSError("OOM command not allowed")

    monkeypatch.setattr(app, "send_task", refuse)
    beat = processes.Timetable(app=app, schedule_filename=str(tmp_path / "timetable"))
    with capture_logs() as told:
        for name in ("first", "second"):
            beat.apply_entry(beat.Entry(name=name, task=name, schedule=schedule(1.0), app=app))
    beat.close()
    assert [line["event"] for line in told] == ["beat.not_sent"]
    assert "OOM command not allowed" in told[0]["error"]


def test_beat_goes_on_after_its_clock_was_ahead(
    beat_clock: list[timedelta], tmp_path: Path
) -> None:
    """Also the one that is started after that."""
    beat = Beat(tmp_path)
    beat_clock[0] = timedelta(days=400)
    everything = set(settings.CELERY_BEAT_SCHEDULE)
    assert beat.run() >= everything
    assert not beat.run() & {"config.forget", "accounts.send_mails"}
    beat_clock[0] = timedelta()
    assert beat.run() >= everything
    assert not beat.run() & {"config.forget", "accounts.send_mails"}
    beat_clock[0] = timedelta(days=400)
    assert beat.run() >= everything
    beat.close()
    beat_clock[0] = timedelta()
    started_again = Beat(tmp_path)
    assert started_again.run() >= everything
    started_again.close()
    assert settings.CELERY_BEAT_SCHEDULER == "config.workers.processes:Timetable"
