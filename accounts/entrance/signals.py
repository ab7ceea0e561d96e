"""What follows when addresses or the password of an account change: what was opened ends, and its owner is told."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.account.signals import (
    email_added,
    email_changed,
    email_confirmed,
    email_removed,
    password_changed,
    password_reset,
)
from django.dispatch import receiver
from django.http import HttpRequest

from accounts.access import end_access
from accounts.mail.post import post_notice
from accounts.models import Mail, User


@receiver(email_added, dispatch_uid="accounts.after_adding")
def after_adding(user: User, email_address: EmailAddress, **_: Any) -> None:
    """It counts for nothing yet; who adds it may be about to take the account."""
    post_notice(Mail.Kind.ADDED, user, of=email_address)


@receiver(email_changed, dispatch_uid="accounts.after_another_primary")
def after_another_primary(user: User, to_email_address: EmailAddress, **_: Any) -> None:
    """Mail goes elsewhere from now on."""
    post_notice(Mail.Kind.PRIMARY, user, of=to_email_address)


@receiver(email_removed, dispatch_uid="accounts.after_removing")
def after_removing(user: User, email_address: EmailAddress, **_: Any) -> None:
    """The last that the address hears of the account."""
    also = [email_address.email] if email_address.verified else []
    post_notice(Mail.Kind.REMOVED, user, of=email_address, also=also)


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
    post_notice(Mail.Kind.CONFIRMED, user, of=email_address)


@receiver(password_changed, dispatch_uid="accounts.after_change")
def after_change(request: HttpRequest, user: User, **_: Any) -> None:
    """End what was opened with the old password, tokens too; the browser that has changed it stays signed in."""
    end_access(user, why="password changed", keep=request)
    post_notice(Mail.Kind.PASSWORD, user)


@receiver(password_reset, dispatch_uid="accounts.after_reset")
def after_reset(request: HttpRequest, user: User, **_: Any) -> None:
    """End what was opened with the old password, and by it."""
    end_access(user, why="password set anew")
    post_notice(Mail.Kind.PASSWORD, user)
