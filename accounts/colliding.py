"""Accounts whose names look alike: from before names were compared, or by tables of look-alikes that have grown."""

from django.db.models import Exists, OuterRef, QuerySet

from accounts.models import User

__all__ = ["colliding_accounts"]


def colliding_accounts() -> QuerySet[User]:
    """Those whose name looks like another account's; an operator renames all but one of each."""
    others = User.objects.filter(skeleton=OuterRef("skeleton")).exclude(pk=OuterRef("pk"))
    late = User.objects.filter(holds_name=False).values("skeleton")
    return User.objects.filter(Exists(others), skeleton__in=late)
