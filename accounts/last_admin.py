"""Somebody can always administer the site: the last account that can keeps its rights, and is not deleted.

The database holds it, whoever writes (the migration `keeps_an_admin`). This says so in words, and beforehand.
"""

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from foundation.postgresql.locks import Lock, hold
from foundation.refusals import RefusedError

__all__ = ["ADMIN_RIGHTS", "LastAdminError", "refuse_last_admin"]

ADMIN_RIGHTS = ("is_active", "is_staff", "is_superuser")


class LastAdminError(RefusedError):
    """Nobody could administer the site any more."""

    code = "last_admin"

    def __init__(self) -> None:
        words = _(
            "Nobody else could administer the site: no other account is active, staff and superuser. "
            "Make another one so first. Nothing was changed."
        )
        super().__init__(words)


@transaction.atomic
def refuse_last_admin(user: User) -> None:
    """Raise LastAdminError where no account but `user` could administer the site. Ask before it can no longer.

    Until the transaction around this ends, no other account loses what it needs for that. Takes the row, then the lock,
    as the trigger does.
    """
    admins = User.objects.filter(**dict.fromkeys(ADMIN_RIGHTS, True))
    if admins.filter(pk=user.pk).select_for_update(no_key=True).first() is None:
        return
    hold(Lock.ADMINS, 0)
    if not admins.exclude(pk=user.pk).exists():
        raise LastAdminError
