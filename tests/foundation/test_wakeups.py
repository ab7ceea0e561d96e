"""Wake-ups are few, and a broker that is away costs little."""

from collections.abc import Iterator
from typing import Any

import pytest
from celery import Celery
from celery.signals import before_task_publish

from foundation import wakeups
from foundation.cooldown import Cooldown
from foundation.wakeups import wake


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Names of the tasks that somebody tried to send, by a process that has sent nothing yet."""
    names: list[str] = []

    def note(sender: str, **_: Any) -> None:
        names.append(sender)

    monkeypatch.setattr(wakeups, "_cooldown", Cooldown(2.0))
    monkeypatch.setattr(wakeups, "_sent", {})
    monkeypatch.setattr(wakeups, "_follows", {})
    before_task_publish.connect(note, weak=False)
    yield names
    before_task_publish.disconnect(note)


def make_tasks(broker: str, monkeypatch: pytest.MonkeyPatch) -> None:
    app = Celery(broker=broker, set_as_current=False)
    app.conf.broker_transport_options = {"max_retries": 0}
    for name in ("wake.one", "wake.other"):
        app.task(name=name)(do_nothing)
    monkeypatch.setattr(wakeups, "task_named", app.tasks.__getitem__)


def do_nothing() -> None:
    """The task of these tests, which nobody carries out."""


def test_many_calls_in_a_row_are_two(tried: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """One at once, and one for the end of them."""
    monkeypatch.setattr(wakeups, "_QUIET", 600.0)
    make_tasks("memory://", monkeypatch)
    for _number in range(50):
        wake("wake.one")
    assert tried == ["wake.one"] * 2


def test_a_broker_that_is_away_is_left_alone_for_a_moment(
    tried: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wakeups, "_cooldown", Cooldown(600.0))
    make_tasks("redis+socket:///nowhere/valkey.sock", monkeypatch)
    wake("wake.one")
    wake("wake.other")
    assert tried == ["wake.one"]
    monkeypatch.setattr(wakeups, "_cooldown", Cooldown(600.0))  # the moment is over
    wake("wake.other")
    assert tried == ["wake.one", "wake.other"]
