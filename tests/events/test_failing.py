"""A subscriber that always raises: the others are served, it is tried later and later, and parked in the end."""

from collections.abc import Sequence
from datetime import timedelta

import pytest
from django.db import connection, transaction

from events import failures, outbox
from events.models import Event, Subscription
from foundation import clock

pytestmark = pytest.mark.django_db(transaction=True)


class Subscribers:
    """Two: the first in order raises at what is bad, the second notes all it sees."""

    def __init__(self) -> None:
        self.bad = {3}
        self.tried = 0
        self.seen: dict[str, list[int]] = {"first": [], "second": []}

    def first(self, events: Sequence[Event]) -> None:
        self.tried += 1
        numbers = [event.payload["number"] for event in events]
        if self.bad & set(numbers):
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1 / 0")  # leaves a transaction that takes no statement
        self.seen["first"] += numbers

    def second(self, events: Sequence[Event]) -> None:
        self.seen["second"] += [event.payload["number"] for event in events]


@pytest.fixture
def both(monkeypatch: pytest.MonkeyPatch) -> Subscribers:
    monkeypatch.setattr(outbox, "_subscribers", {})
    monkeypatch.setattr(outbox, "wake", lambda _name: None)
    both = Subscribers()
    outbox.subscribe("a first", kinds=["thing.happened"], handler=both.first)
    outbox.subscribe("the second", kinds=["thing.happened"], handler=both.second)
    return both


def publish(*numbers: int) -> None:
    with transaction.atomic():
        outbox.publish_many("thing.happened", [{"number": number} for number in numbers])


def place() -> Subscription:
    return Subscription.objects.get(name="a first")


def fail_until_parked() -> None:
    moment = clock.now()
    for _ in range(failures.PARK_AFTER):
        moment += timedelta(seconds=failures.LONGEST_PAUSE + 1)
        with clock.at(moment):
            outbox.deliver()


def test_the_others_see_everything(both: Subscribers) -> None:
    publish(*range(20))
    outbox.deliver()
    assert both.seen["second"] == list(range(20))
    assert both.seen["first"] == [0, 1, 2]  # up to what it cannot handle
    failed = place()
    assert (failed.failures, failed.parked_at) == (1, None)
    assert "DivisionByZero" in failed.error or "division by zero" in failed.error
    assert failed.failed_event_id == Event.objects.get(payload={"number": 3}).pk


def test_it_is_tried_later_and_later(both: Subscribers) -> None:
    publish(3)
    now, tries = clock.now(), []
    for second in range(70):
        with clock.at(now + timedelta(seconds=second)):
            before = both.tried
            outbox.deliver()
            tries += [second] if both.tried > before else []
    assert tries == [0, 1, 3, 7, 15, 31, 63]


def test_a_clock_that_was_ahead_keeps_nobody_waiting(both: Subscribers) -> None:
    publish(3)
    with clock.at(clock.now() + timedelta(days=400)):
        outbox.deliver()
    tried = both.tried
    outbox.deliver()
    assert both.tried == tried + 1


def test_it_is_parked_and_goes_on_at_an_operators_word(both: Subscribers) -> None:
    publish(2, 3, 4)
    fail_until_parked()
    parked = place()
    assert (parked.parked_at is not None, parked.retry_at) == (True, None)
    assert list(failures.parked()) == [parked]
    tried = both.tried
    with clock.at(clock.now() + timedelta(days=3)):
        outbox.deliver()
    assert both.tried == tried
    both.bad = set()
    failures.try_again("a first")
    outbox.deliver()
    assert both.seen["first"] == [2, 3, 4]
    assert place().failures == 0
    with pytest.raises(failures.NotFailingError):
        failures.try_again("a first")


def test_an_operator_lets_it_skip_the_event(both: Subscribers) -> None:
    publish(2, 3, 4)
    fail_until_parked()
    at = place().failed_event_id
    assert at is not None
    with pytest.raises(failures.NotFailingError):
        failures.skip("a first", event_id=at + 1)
    failures.skip("a first", event_id=at)
    outbox.deliver()
    assert both.seen["first"] == [2, 4]


def test_events_are_not_kept_for_ever_for_one_that_is_parked(both: Subscribers) -> None:
    publish(3)
    publish(4)
    fail_until_parked()
    publish(5)
    outbox.deliver()
    for days, left in ((8, 3), (29, 3), (31, 1)):
        with clock.at(clock.now() + timedelta(days=days)):
            outbox.forget_old()
        assert Event.objects.count() == left
