"""Events of a dump, in a cluster whose transactions are numbered otherwise."""

import pytest
from django.db import connection, transaction
from django.db.models import F

from events import outbox
from events.models import Event, Subscription
from events.renumber import is_foreign, renumber
from tests.events.numbered import publish

pytestmark = pytest.mark.django_db(transaction=True)
AHEAD = 10**9  # transactions by which the old cluster was older


def as_if_restored(*, ahead: int = AHEAD, named: bool = True) -> None:
    """Let all rows be numbered by another cluster."""
    other = {"cluster": 4711} if named else {}
    Event.objects.update(transaction=F("transaction") + ahead, **other)
    Subscription.objects.update(transaction=F("transaction") + ahead, **other)


@pytest.mark.parametrize("named", [True, False])
def test_what_was_not_read_is_delivered_and_what_is_new(seen: list[int], named: bool) -> None:
    publish(1)
    outbox.deliver()
    publish(2)
    publish(3)
    as_if_restored(named=named)
    assert is_foreign()
    if named:
        publish(4)  # before anybody has looked
    outbox.deliver()
    publish(5)
    outbox.deliver()
    assert seen == ([1, 2, 3, 4, 5] if named else [1, 2, 3, 5])
    assert not is_foreign()
    assert renumber() == 0


def test_twice_restored(seen: list[int]) -> None:
    publish(1)
    as_if_restored()
    renumber()
    publish(2)
    as_if_restored(ahead=2 * AHEAD)
    publish(3)
    outbox.deliver()
    assert seen == [1, 2, 3]


def test_a_dump_of_a_younger_cluster(seen: list[int]) -> None:
    """Its numbers are lower than ours: nothing would be lost, and nothing is."""
    publish(1)
    outbox.deliver()
    publish(2)
    as_if_restored(ahead=-1000)
    outbox.deliver()
    publish(3)
    outbox.deliver()
    assert seen == [1, 2, 3]


def test_a_subscriber_that_comes_later_sees_what_was_restored(seen: list[int]) -> None:
    publish(1)
    as_if_restored()
    renumber()
    late: list[int] = []
    outbox.subscribe(
        "late", kinds=["thing.happened"], handler=lambda events: late.extend(e.pk for e in events)
    )
    outbox.deliver()
    assert len(late) == 1


def test_our_own_are_left_alone(seen: list[int]) -> None:
    with transaction.atomic():
        outbox.publish("thing.happened", number=1)
        assert not is_foreign()
    before = Event.objects.get().transaction
    assert renumber() == 0
    assert Event.objects.get().transaction == before
    with connection.cursor() as cursor:
        cursor.execute("SELECT system_identifier FROM pg_control_system()")
        assert cursor.fetchone() == (Event.objects.get().cluster,)


def test_it_alarms_nobody_for_a_good_restore_does_it(
    seen: list[int], caplog: pytest.LogCaptureFixture
) -> None:
    publish(1)
    as_if_restored()
    with caplog.at_level("INFO"):
        assert renumber() == 1
    told = [one.levelname for one in caplog.records if "outbox.renumbered" in str(one.msg)]
    assert told == ["INFO"]
