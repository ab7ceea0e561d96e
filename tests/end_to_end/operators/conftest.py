"""A site with staff and players at their browsers."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser
from pytest_django.live_server_helper import LiveServer

if TYPE_CHECKING:  # models, which need the settings: pytest reads this file before they are there
    from matchmaking.models import Queue
    from tests.end_to_end.operators.people import House


@pytest.fixture
def house(browser: Browser, live_server: LiveServer) -> "Iterator[House]":
    """Afterwards nobody's browser may have complained of anything."""
    from tests.end_to_end.operators.people import House

    house = House(browser, live_server.url)
    yield house
    for person in house.entered:
        person.context.close()
    assert {person.name: person.errors for person in house.entered if person.errors} == {}


@pytest.fixture
def queue() -> "Queue":
    """One against one in blitz chess, where nothing ends by itself while somebody looks on."""
    from tests.end_to_end.players import make_queue

    return make_queue(accept_seconds=600, heartbeat_seconds=600)
