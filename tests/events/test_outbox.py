"""Events reach each subscriber once, in order, whatever commits first."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest
from django.db import connection, transaction
from django.db.transaction import TransactionManagementError

from events import outbox
from events.models import Event, Subscription
from foundation import clock
from tests.events.numbered import publish

pytestmark = pytest.mark.django_db(transaction=True)


def second_connection(**other: str) -> psycopg.Connection[tuple[object, ...]]:
    parameters = connection.get_connection_params() | other
    keep = {key: parameters[key] for key in ("dbname", "user", "host", "port") if key in parameters}
    return psycopg.connect(**keep)


INSERT = """INSERT INTO events_event (kind, payload) VALUES ('thing.happened', '{"number": %s}')"""


def test_events_are_delivered_once_and_in_order(seen: list[int]) -> None:
    for number in range(5):
        publish(number)
    outbox.deliver()
    outbox.deliver()
    assert seen == [0, 1, 2, 3, 4]


def test_other_kinds_are_passed_over(seen: list[int]) -> None:
    with transaction.atomic():
        outbox.publish("something.else", number=1)
    assert outbox.deliver() == 1
    assert seen == []


def test_a_lower_id_that_commits_later_is_not_lost(seen: list[int]) -> None:
    with second_connection() as slow:
        slow.execute(INSERT % 1)  # has its id, has not committed
        publish(2)
        outbox.deliver()
        assert seen == []  # 2 waits for whatever may still precede it
        slow.commit()
    outbox.deliver()
    assert seen == [1, 2]


def test_a_transaction_of_another_database_holds_nothing_up(seen: list[int]) -> None:
    with second_connection(dbname="postgres") as stranger, second_connection() as slow:
        stranger.execute("SELECT pg_current_xact_id()")  # the oldest of all, and idle from now on
        publish(1)
        outbox.deliver()
        assert seen == [1]
        slow.execute(INSERT % 2)
        publish(3)
        outbox.deliver()
        assert seen == [1]  # one of ours is still waited for
        slow.commit()
        outbox.deliver()
    assert seen == [1, 2, 3]


def test_one_that_begins_there_meanwhile_holds_up_nothing_that_came_before(seen: list[int]) -> None:
    """Nor does one that ends meanwhile: those that are seen at first are known for good."""
    with (
        second_connection(dbname="postgres") as before,
        second_connection(dbname="postgres") as new,
    ):
        before.execute("SELECT pg_current_xact_id()")
        publish(1)

        def meanwhile(execute: Any, sql: str, *arguments: Any) -> Any:
            if "FROM events_event" in sql and not before.closed:
                before.close()
                new.execute("SELECT pg_current_xact_id()")
            return execute(sql, *arguments)

        with connection.execute_wrapper(meanwhile):
            outbox.deliver()
        assert before.closed
    assert seen == [1]


def test_a_transaction_that_ends_in_between_is_waited_for(seen: list[int]) -> None:
    """Others that run as well, and savepoints, change nothing."""
    with second_connection() as early, second_connection() as late:
        early.execute("SAVEPOINT here")
        early.execute(INSERT % 1)
        late.execute(INSERT % 2)
        late.commit()
        publish(3)
        outbox.deliver()
        assert seen == []
        early.execute("RELEASE SAVEPOINT here")
        early.commit()
        outbox.deliver()
    assert seen == [1, 2, 3]


def test_a_handler_that_fails_sees_the_events_again(
    seen: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []

    def fail_once(events: Sequence[Event]) -> None:
        calls.append(len(events))
        if len(calls) == 1:
            raise RuntimeError("the first try fails")
        seen.extend(event.payload["number"] for event in events)

    outbox.subscribe("observer", kinds=["thing.happened"], handler=fail_once)
    publish(7)
    assert outbox.deliver() == 0
    with clock.at(clock.now() + timedelta(seconds=2)):
        assert outbox.deliver() == 1
    assert (seen, calls) == ([7], [1, 1])
    assert Subscription.objects.get().failures == 0


def test_a_second_deliverer_does_nothing_meanwhile(seen: list[int]) -> None:
    publish(1)
    Subscription.objects.create(name="observer")
    with second_connection() as other:
        other.execute("SELECT 1 FROM events_subscription WHERE name = 'observer' FOR UPDATE")
        assert outbox.deliver() == 0
        other.rollback()
    assert outbox.deliver() == 1
    assert seen == [1]


def test_a_fact_outside_a_transaction_is_refused() -> None:
    with pytest.raises(TransactionManagementError, match=r"thing\.happened published outside"):
        outbox.publish("thing.happened", number=1)


def test_a_fact_falls_with_its_transaction(seen: list[int]) -> None:
    with transaction.atomic():
        outbox.publish("thing.happened", number=1)
        transaction.set_rollback(True)
    assert outbox.deliver() == 0
    assert seen == []


def test_many_facts_are_written_in_their_order(seen: list[int]) -> None:
    with transaction.atomic():
        outbox.publish_many("thing.happened", [{"number": number} for number in range(2500)])
        outbox.publish_many("thing.happened", [])
    assert outbox.deliver() == 2500
    assert seen == list(range(2500))


def test_the_moment_of_a_fact_is_that_of_the_clock(seen: list[int]) -> None:
    moment = datetime(2026, 3, 1, tzinfo=UTC)
    with clock.at(moment):
        publish(1)
    publish(2)
    assert Event.objects.filter(at=moment).count() == 1
    assert Event.objects.filter(at__gt=moment).count() == 1


def test_old_facts_are_forgotten_once_everybody_has_read_them(seen: list[int]) -> None:
    for days, number in ((8, 1), (8, 2), (6, 3)):
        with clock.at(clock.now() - timedelta(days=days)):
            publish(number)
    assert outbox.forget_old() == 0  # nobody has read anything
    outbox.deliver()
    outbox.subscribe("late", kinds=["thing.happened"], handler=lambda events: None)
    assert outbox.forget_old() == 0  # one has not
    publish(4)  # what is read last stays until something newer is
    outbox.deliver()
    assert outbox.forget_old() == 2
    assert [event.payload["number"] for event in Event.objects.all()] == [3, 4]
    assert outbox.deliver() == 0
    publish(5)
    outbox.deliver()
    assert seen == [1, 2, 3, 4, 5]
