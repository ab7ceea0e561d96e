"""The watchdog ends what does nothing, and nothing that the machine starves."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest
import redis

from config.launcher import watchdog
from config.launcher.children import Child
from config.launcher.heartbeats import Heartbeats, _key
from config.launcher.watchdog import Watchdog
from config.workers.task_queues import ALIVE_SECONDS, BEAT
from tests.config.launcher.starving import BUSY, give_way, starved_of

Start = Callable[..., Child]


@pytest.fixture(autouse=True)
def _in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog, "LOOK_EVERY", 0.0)
    monkeypatch.setattr(watchdog, "PATIENCE", 0.5)
    monkeypatch.setattr(watchdog, "GRACE", 0.5)


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts a busy process that is watched as a worker, or as beat."""
    started: list[Child] = []

    def start_one(sign: str = "") -> Child:
        sign = sign or uuid4().hex
        started.append(Child(sign, list(BUSY), tmp_path / "log", lambda: True, sign=sign))
        started[-1].start(os.environ)
        return started[-1]

    yield start_one
    for child in started:
        child.kill()
        assert child.process is not None
        child.process.wait()


@pytest.fixture
def signs() -> Heartbeats:
    return Heartbeats(os.environ["REDIS_URL"])


def leave_sign(signs: Heartbeats, name: str) -> None:
    """As a worker or beat does."""
    with redis.Redis.from_url(signs.redis_url) as client:
        client.set(_key(name), 1, px=int(ALIVE_SECONDS * 1000))


def look_for(
    seconds: float,
    dog: Watchdog,
    signs: Heartbeats,
    *alive: str,
    until: Callable[[], bool] = lambda: False,
) -> None:
    """Let the watchdog look for so long at most, while these leave signs."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and not until():
        for name in alive:
            leave_sign(signs, name)
        dog.look()
        time.sleep(0.05)


def stop(child: Child) -> None:
    assert child.process is not None
    os.kill(child.process.pid, signal.SIGSTOP)


def has_ended(child: Child, *, within: float = 2.0) -> bool:
    """Whether it has; one that was just killed takes a moment."""
    end = time.monotonic() + within
    while not child.ended() and time.monotonic() < end:
        time.sleep(0.05)
    return child.ended()


def test_one_that_stands_still_is_ended_and_its_neighbour_is_not(
    start: Start, signs: Heartbeats
) -> None:
    still, works = start(), start()
    stop(still)
    dog = Watchdog.over([still, works], signs)
    look_for(60.0, dog, signs, BEAT, works.sign, until=still.ended)
    assert has_ended(still)
    assert not has_ended(works, within=0.3)


def test_workers_are_not_blamed_while_nothing_is_sent(
    start: Start, signs: Heartbeats, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("config.launcher.watchdog.BEAT", name := uuid4().hex)
    worker, beat = start(), start(name)
    stop(worker)
    stop(beat)
    look_for(60.0, Watchdog.over([worker, beat], signs), signs, until=beat.ended)
    assert has_ended(beat)
    assert not has_ended(worker, within=0.3)


def test_one_that_the_machine_starves_is_left_alone(start: Start, signs: Heartbeats) -> None:
    with starved_of() as processor:
        starved = start()
        assert starved.process is not None
        give_way(starved.process.pid, processor)
        look_for(2.0, Watchdog.over([starved], signs), signs, BEAT)
        assert not has_ended(starved, within=0.3)


def test_one_that_is_ended_again_is_given_twice_as_long(start: Start, signs: Heartbeats) -> None:
    worker = start()
    dog = Watchdog.over([worker], signs)
    graces = []
    for _ in range(2):
        stop(worker)
        end = time.monotonic() + 60
        while not worker.ended() and time.monotonic() < end:
            look_for(0.2, dog, signs, BEAT)
        graces.append(dog.watched[0].grace)
        worker.start(os.environ)
    assert graces == [1.0, 2.0]
    look_for(0.3, dog, signs, BEAT, worker.sign)
    assert dog.watched[0].grace == 0.5
