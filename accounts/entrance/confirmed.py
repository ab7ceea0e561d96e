"""What follows when an address is confirmed, or a password was changed or set anew."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.account.signals import email_confirmed, password_changed, password_reset
from django.dispatch import receiver
from django.http import HttpRequest

from accounts.access import end_access
from accounts.models import User

__all__ = ["after_change", "after_confirmation", "after_reset"]


@receiver(email_confirmed, dispatch_uid="accounts.after_confirmation")
def after_confirmation(request: HttpRequest, email_address: EmailAddress, **_: Any) -> None:
    """Whoever reads the address may not be who has used the account so far: end what was opened before.

    Only a further address that its own signed-in browser confirms ends nothing.
    """
    user = User.objects.get(pk=email_address.user_id)
    others = EmailAddress.objects.filter(user=user).exclude(pk=email_address.pk)
    if not others.filter(primary=True, verified=True).exists():
        email_address.set_as_primary()
    is_own = request.user.is_authenticated and request.user.pk == user.pk
    if not is_own or not others.filter(verified=True).exists():
        end_access(user, why="address confirmed", keep=request)


@receiver(password_changed, dispatch_uid="accounts.after_change")
def after_change(request: HttpRequest, user: User, **_: Any) -> None:
    """End what was opened with the old password, tokens too; the browser that has changed it stays signed in."""
    end_access(user, why="password changed", keep=request)


@receiver(password_reset, dispatch_uid="accounts.after_reset")
def after_reset(request: HttpRequest, user: User, **_: Any) -> None:
    """End what was opened with the old password, and by it."""
    end_access(user, why="password set anew")
