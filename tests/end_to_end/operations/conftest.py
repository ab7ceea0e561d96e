"""People who walk through a site that is up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser
from pytest_django.live_server_helper import LiveServer

if TYPE_CHECKING:
    from tests.end_to_end.operations.walkers import Walkers


@pytest.fixture
def walkers(browser: Browser, live_server: LiveServer, own_cache: None) -> Iterator[Walkers]:
    """Nobody may have met an error in the console of a browser."""
    from tests.end_to_end.operations.walkers import Walkers  # needs the settings

    people = Walkers(browser, live_server.url)
    yield people
    assert people.go_home() == []
