"""One world for all tests of a file that only look at it, or undo what they do."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction

from tests.api.world import World, make_world


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    """Made once; what each test adds to it is rolled back after the test."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield make_world()
        transaction.set_rollback(True)
