"""A web process that stands still is replaced; one that the machine starves is waited for."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest
from gunicorn.config import Config

from config.embedded.processes import wait_until
from config.web import heartbeat
from config.web.heartbeat import WorkerHeartbeat
from tests.config.launcher.starving import BUSY, give_way, starved_of
from tests.config.web.serving import _answers, running

Begin = Callable[[], tuple[int, WorkerHeartbeat]]


@pytest.fixture
def begin() -> Iterator[Begin]:
    """Starts a process that computes and gives no signs, and the sign that it would give."""
    begun: list[tuple[subprocess.Popen[bytes], WorkerHeartbeat]] = []

    def begin_one() -> tuple[int, WorkerHeartbeat]:
        process = subprocess.Popen(BUSY, start_new_session=True)
        sign = WorkerHeartbeat(SimpleNamespace(cfg=Config(), pid=process.pid))
        begun.append((process, sign))
        sign.notify()
        return process.pid, sign

    yield begin_one
    for process, sign in begun:
        process.kill()
        process.wait()
        sign.close()


def stop(pid: int) -> None:
    """Stop a process. One that waits for a processor stops when it gets one."""
    os.kill(pid, signal.SIGSTOP)
    assert wait_until(lambda: psutil.Process(pid).status() == psutil.STATUS_STOPPED, seconds=60)


def age_after(sign: WorkerHeartbeat, looks: int) -> tuple[float, float]:
    """How old the arbiter takes the sign to be, and how old it is by the clock."""
    began = time.monotonic()
    for _ in range(looks):
        time.sleep(0.25)
        said, now = sign.last_update(), time.monotonic()
    return now - said, now - began


def test_all_time_counts_for_one_that_is_stopped(begin: Begin) -> None:
    pid, sign = begin()
    stop(pid)
    sign.notify()
    age, passed = age_after(sign, 8)
    assert age > 0.9 * passed


def test_little_time_counts_for_one_that_gets_no_processor(begin: Begin) -> None:
    pid, sign = begin()
    with starved_of() as processor:
        give_way(pid, processor)
        time.sleep(0.5)
        sign.notify()
        age, passed = age_after(sign, 12)
    assert age < 0.6 * passed


def test_a_sign_begins_the_age_anew(begin: Begin) -> None:
    pid, sign = begin()
    stop(pid)
    before, _ = age_after(sign, 8)
    sign.notify()
    assert time.monotonic() - sign.last_update() < before


def test_time_in_which_nobody_looked_is_not_held_against_a_process(
    begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heartbeat, "_LOOKS_WITHIN", 0.1)
    pid, sign = begin()
    stop(pid)
    sign.last_update()
    time.sleep(1.0)
    assert time.monotonic() - sign.last_update() < 0.5


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_a_web_process_that_is_stopped_is_replaced(tmp_path: Path) -> None:
    with running(tmp_path, EVENMATCH_WEB_PROCESSES="1", GUNICORN_CMD_ARGS="--timeout 10") as web:
        [stopped] = psutil.Process(web.process.pid).children()
        stopped.suspend()
        assert wait_until(lambda: not stopped.is_running(), seconds=60)
        assert wait_until(lambda: _answers(web), seconds=60)
        assert "WORKER TIMEOUT" in web.log()
