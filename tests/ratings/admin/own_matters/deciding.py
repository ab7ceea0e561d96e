"""What operators do in these tests."""

from typing import Any

from django.contrib.auth.models import Permission

from accounts.models import User
from ratings.merging.merge import merge
from ratings.models import (
    Player,
)


def merged(one: Player, into: Player, by: User | None, **how: Any) -> None:
    merge(player=one, into=into, by=by, note="x", **how)


def give(user: User, *rights: str) -> None:
    user.user_permissions.add(*Permission.objects.filter(codename__in=rights))
