"""Patience with a process is counted in the time that it had for itself."""

import os
import signal
import subprocess
import time

import psutil

from config.embedded.processes import wait_until
from config.launcher.process_time import ProcessTime, session_of
from tests.config.launcher.starving import BUSY, give_way, starved_of


def test_one_that_stands_still_has_all_time_for_itself() -> None:
    with subprocess.Popen(BUSY, start_new_session=True) as stopped:
        os.kill(stopped.pid, signal.SIGSTOP)
        # One that waits for a processor stops when it gets one.
        assert wait_until(
            lambda: psutil.Process(stopped.pid).status() == psutil.STATUS_STOPPED, seconds=60
        )
        clock, began = ProcessTime(stopped.pid), time.monotonic()
        time.sleep(1.0)
        passed, wall = clock.passed(), time.monotonic() - began
        stopped.kill()
    assert passed > 0.9 * wall


def test_one_that_others_keep_from_the_processor_has_little() -> None:
    with starved_of() as processor, subprocess.Popen(BUSY, start_new_session=True) as starved:
        give_way(starved.pid, processor)
        time.sleep(0.5)
        clock, began = ProcessTime(starved.pid), time.monotonic()
        time.sleep(2.0)
        passed, wall = clock.passed(), time.monotonic() - began
        starved.kill()
    assert 0.0 < passed < 0.6 * wall


def test_a_session_is_its_leader_and_all_it_started() -> None:
    with subprocess.Popen(["sh", "-c", "sleep 600 & wait"], start_new_session=True) as leader:
        for _ in range(600):
            if len(found := session_of(leader.pid)) == 2:
                break
            time.sleep(0.1)
        os.killpg(leader.pid, signal.SIGKILL)
    assert leader.pid in found
    assert len(found) == 2
