"""Wake-ups are few, and a broker that is away costs little."""

from collections.abc import Iterator
from typing import Any

import pytest
from celery import Celery
from celery.signals import before_task_publish

from foundation import wakeups
from foundation.wakeups import wake


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Names of the tasks that somebody tried to send, by a process that has sent nothing yet."""
    names: list[str] = []

    def note(sender: str, **_: Any) -> None:
        names.append(sender)

    monkeypatch.setattr(wakeups, "_away_until", 0.0)
    monkeypatch.setattr(wakeups, "_sent", {})
    monkeypatch.setattr(wakeups, "_follows", {})
    before_task_publish.connect(note, weak=False)
    yield names
    before_task_publish.disconnect(note)


def make_tasks(broker: str) -> tuple[Any, Any]:
    app = Celery(broker=broker, set_as_current=False)
    app.conf.broker_transport_options = {"max_retries": 0}
    return app.task(name="wake.one")(do_nothing), app.task(name="wake.other")(do_nothing)


def do_nothing() -> None:
    """The task of these tests, which nobody carries out."""


def test_many_calls_in_a_row_are_two(tried: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """One at once, and one for the end of them."""
    monkeypatch.setattr(wakeups, "_QUIET", 600.0)
    one, _ = make_tasks("memory://")
    for _number in range(50):
        wake(one)
    assert tried == ["wake.one"] * 2


def test_a_broker_that_is_away_is_left_alone_for_a_moment(
    tried: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wakeups, "_REST", 600.0)
    one, other = make_tasks("redis+socket:///nowhere/valkey.sock")
    wake(one)
    wake(other)
    assert tried == ["wake.one"]
    monkeypatch.setattr(wakeups, "_away_until", 0.0)  # the moment is over
    wake(other)
    assert tried == ["wake.one", "wake.other"]
