"""Who several tests of accounts are about."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from accounts.models import User


@pytest.fixture
def mallory() -> "User":
    """Has prepared an account for somebody else."""
    from tests.accounts.opening import prepared_account  # once Django is set up

    return prepared_account()
