"""A server that takes pushes, and players of whom one has an account. What has models is imported when asked for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pytest_django.fixtures import Settings

from tests.notifications.receiver import Receiver, receiving

if TYPE_CHECKING:
    from tests.ratings.arena import Arena


@pytest.fixture
def receiver(tmp_path: Path, settings: Settings) -> Iterator[Receiver]:
    from notifications.push import call

    with receiving(tmp_path) as found:
        settings.PUSH_TO_PRIVATE = True
        settings.PUSH_CERTIFICATES = str(found.certificate)
        call._trust.cache_clear()
        yield found
    call._trust.cache_clear()


@pytest.fixture
def arena() -> Arena:
    from accounts.models import User
    from ratings.models import Player
    from tests.ratings.arena import Arena

    arena = Arena(3)
    user = User.objects.create_user("Ada", "ada@example.org", "a long walk home")
    Player.objects.filter(pk=arena.players[0].pk).update(user=user)
    return arena
