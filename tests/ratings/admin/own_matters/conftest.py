"""Anna, who plays and may decide, and Olga, who could in her place."""

from typing import TYPE_CHECKING

import pytest

from tests.worlds import shared

if TYPE_CHECKING:  # pytest reads this file before Django is ready where the folder is named to it
    from accounts.models import User
    from tests.ratings.admin_cast import World


@shared
def world() -> "World":
    from tests.ratings.admin_cast import make_world

    return make_world(matches=2)


@pytest.fixture(params=["superuser", "staff"])
def anna(world: "World", request: pytest.FixtureRequest) -> "User":
    """She plays, and may decide."""
    from accounts.models import User
    from ratings.models import Player
    from tests.ratings.admin.own_matters.deciding import give

    user = User.objects.create_user("anna", is_staff=True)
    user.is_superuser = request.param == "superuser"
    user.save()
    give(user, "change_match", "change_sanction", "view_match")
    Player.objects.filter(pk=world.anna.pk).update(user=user)
    return user


@pytest.fixture
def other() -> "User":
    """Who could decide in her place."""
    from accounts.models import User

    return User.objects.create_superuser("olga")


@pytest.fixture
def merger(anna: "User", other: "User") -> "User":
    """She may merge as well, and so may another."""
    from tests.ratings.admin.own_matters.deciding import give

    give(anna, "merge_player", "move_player", "change_player", "view_player")
    return anna
