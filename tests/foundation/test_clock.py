"""The clock is PostgreSQL's, stands still inside a transaction, and can be replaced."""

from datetime import UTC, datetime

import pytest
from django.db import connection

from foundation import clock

MOMENT = datetime(2020, 2, 29, 12, tzinfo=UTC)


@pytest.mark.django_db
def test_it_stands_still_inside_a_transaction() -> None:
    first = clock.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_sleep(0.01), clock_timestamp() > %s", [first])
        assert cursor.fetchone()[1]
    assert clock.now() == first


@pytest.mark.django_db(transaction=True)
def test_it_moves_between_transactions() -> None:
    assert clock.now() < clock.now()


@pytest.mark.django_db
def test_it_can_be_replaced_for_a_block() -> None:
    with clock.at(MOMENT):
        assert clock.now() == MOMENT
    assert clock.now() > MOMENT


def test_a_moment_without_time_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="no time zone"), clock.at(datetime(2020, 1, 1)):  # noqa: DTZ001
        pass
