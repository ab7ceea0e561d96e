"""What the tests of the admin pages of ratings share."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:  # pytest reads this file before Django is ready where the folder is named to it
    from django.test import Client

    from tests.ratings.admin_cast import World


@pytest.fixture
def world() -> "World":
    """Four matches, a track of each kind."""
    from tests.ratings.admin_cast import make_world

    return make_world()


@pytest.fixture
def client() -> "Client":
    """Signed in as a superuser."""
    from tests.ratings.admin_cast import operator

    return operator()
