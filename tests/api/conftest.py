"""One world for all tests of a file that only look at it, or undo what they do."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from django.db import transaction

if TYPE_CHECKING:  # pytest reads this file before Django is ready where the folder is named to it
    from tests.api.world import World


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: Any) -> "Iterator[World]":
    """Made once; what each test adds to it is rolled back after the test."""
    from tests.api.world import make_world

    with django_db_blocker.unblock(), transaction.atomic():
        made = make_world()
        yield made
        transaction.set_rollback(True)
