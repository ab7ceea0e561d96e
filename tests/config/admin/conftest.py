"""Who looks at the pages."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:  # pytest reads this file before Django is ready where the folder is named to it
    from django.test import Client


@pytest.fixture
def client() -> "Client":
    """Signed in as a superuser."""
    from tests.ratings.admin_cast import operator

    return operator()
