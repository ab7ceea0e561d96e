"""When the time of a request is over, and what is finished nevertheless."""

from collections.abc import Iterator

import gevent
import pytest
from django.db import OperationalError

from config.web.deadlines import Deadline


@pytest.fixture
def over(no_session: None) -> Iterator[Deadline]:
    """One that ends the test as soon as it waits for something."""
    one = Deadline(0)
    yield one
    one.end()


def test_what_waits_when_the_time_is_over_is_ended(over: Deadline) -> None:
    with pytest.raises(OperationalError, match="the time of the request is over"):
        gevent.sleep(60)
    assert over.is_over


def test_what_is_to_be_finished_is_not(over: Deadline) -> None:
    with over.finishing(60):
        gevent.sleep(0.1)
        assert not over.is_over
    with pytest.raises(OperationalError):
        gevent.sleep(60)


def test_nor_where_the_time_has_ended_something_before(over: Deadline) -> None:
    with pytest.raises(OperationalError):
        gevent.sleep(60)
    with over.finishing(60):
        gevent.sleep(1.5)  # it would be ended once more


def test_that_has_an_end_too(over: Deadline) -> None:
    with pytest.raises(OperationalError), over.finishing(0.01):
        gevent.sleep(60)
