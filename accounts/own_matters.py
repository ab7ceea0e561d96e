"""What operators leave to somebody else, because it concerns a player of their own: apps above know whom they play."""

from collections.abc import Callable

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from foundation.refusals import RefusedError

__all__ = ["OwnMatterError", "check_access", "check_with", "has_rights", "own_matter"]

MAY_CHANGE = "accounts.change_user"
# Each raises OwnMatterError where an account, who would change the ways into another's, is to leave that to somebody
# else who has a right; None: to a superuser.
Check = Callable[[User, User, str | None], object]
_checks: list[Check] = []


class OwnMatterError(RefusedError):
    """Whoever decides has a player whom it concerns. Only people decide so: no server, and no command."""

    code = "own_matter"

    def __init__(self) -> None:
        words = gettext_lazy(
            "This concerns a player of your own, so somebody else decides it. Ask another admin of this site. Nothing "
            "was changed."
        )
        super().__init__(words)


def own_matter(check: Callable[[], object]) -> str:
    """What a page says before a form is filled in, where a check would raise OwnMatterError; nothing where not."""
    try:
        check()
    except OwnMatterError:
        return _(
            "This concerns a player of your own, so somebody else decides it. Ask another admin of this site."
        )
    return ""


def check_with(check: Check) -> None:
    """Let an app above say whose account is an own matter. Called from an app's `ready()`."""
    _checks.append(check)


def check_access(by: User | None, user: User, right: str | None = MAY_CHANGE) -> None:
    """Raise OwnMatterError where `by` is to leave the ways into the account of `user` to somebody else who has the
    right; None: to a superuser, as always for an account with rights.
    """
    if by is None or by.pk == user.pk:
        return
    needed = None if has_rights(user) else right
    for check in _checks:
        check(by, user, needed)


def has_rights(user: User) -> bool:
    """Whether only superusers may change the account."""
    is_given = user.groups.exists() or user.user_permissions.exists()
    return user.is_superuser or user.is_staff or is_given
