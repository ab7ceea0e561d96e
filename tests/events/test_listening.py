"""What asks whether messages arrive: while Valkey is away it asks often, and the process tries seldom."""

import threading
import time
from types import SimpleNamespace

import pytest
from pytest_django import Settings

from config.embedded.processes import wait_until
from events.live import hub as module
from events.live.hub import LINGER, LONGEST_PAUSE, Hub


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What the hub would have waited for, without luck."""
    found: list[float] = []
    clock = SimpleNamespace(monotonic=time.monotonic, sleep=found.append)
    monkeypatch.setattr(module, "time", clock)
    monkeypatch.setattr(module, "_LUCK", SimpleNamespace(uniform=lambda _low, _high: 1.0))
    return found


def ask(hub: Hub) -> None:
    """As a request does that signs in, and wait until its listener has given up."""
    assert not hub.hears()
    assert wait_until(lambda: hub._listener is None, seconds=60)


def test_listeners_one_after_the_other_wait_longer_and_longer(
    settings: Settings, pauses: list[float]
) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    hub = Hub()
    for _request in range(6):
        ask(hub)
    assert pauses == pytest.approx([0.1, 0.3, 0.7, 1.5, LONGEST_PAUSE, LONGEST_PAUSE])
    assert hub.losses == 6


def test_after_a_subscription_that_lasted_they_begin_anew(
    settings: Settings, pauses: list[float]
) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    hub = Hub()
    ask(hub)
    ask(hub)
    settings.LIVE_SILENCE = -1.0  # whatever it took was long
    ask(hub)
    assert pauses == pytest.approx([0.1, 0.3, 0.1])


def test_a_listener_of_before_a_fork_hears_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, may_end = threading.Event(), threading.Event()

    def subscribe(_hub: Hub) -> None:
        begun.set()
        may_end.wait()

    monkeypatch.setattr(Hub, "_subscribe", subscribe)
    hub = Hub()
    # The child has all of the parent but its threads.
    hub._is_hearing, hub._listener = True, threading.Thread()
    assert not hub.hears()
    assert begun.wait(60)
    hub._used_at = time.monotonic() - LINGER
    may_end.set()
