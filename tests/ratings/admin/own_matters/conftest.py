"""Anna, who plays and may decide, and Olga, who could in her place."""

import pytest
from django.contrib.auth.models import Permission

from accounts.models import User
from ratings.models import (
    Player,
)
from tests.ratings.admin.own_matters.deciding import give
from tests.ratings.admin_cast import World, make_world
from tests.worlds import shared


@shared
def world() -> World:
    return make_world(matches=2)


@pytest.fixture(params=["superuser", "staff"])
def anna(world: World, request: pytest.FixtureRequest) -> User:
    """She plays, and may decide."""
    user = User.objects.create_user("anna", is_staff=True)
    user.is_superuser = request.param == "superuser"
    user.save()
    rights = ["change_match", "change_sanction", "view_match"]
    user.user_permissions.set(Permission.objects.filter(codename__in=rights))
    Player.objects.filter(pk=world.anna.pk).update(user=user)
    return user


@pytest.fixture
def other() -> User:
    """Who could decide in her place."""
    return User.objects.create_superuser("olga")


@pytest.fixture
def merger(anna: User, other: User) -> User:
    """She may merge as well, and so may another."""
    give(anna, "merge_player", "move_player", "change_player", "view_player")
    return anna
