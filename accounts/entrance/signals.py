"""What follows when addresses or the password of an account change: what was opened ends, and its owner is told.

And what is kept of sign-ins: of staff each one, of everybody how many have failed.
"""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.account.signals import (
    email_added,
    email_changed,
    email_confirmed,
    email_removed,
    password_changed,
    password_reset,
    user_logged_in,
)
from django.contrib.auth.signals import user_login_failed
from django.dispatch import receiver
from django.http import HttpRequest

from accounts import audit
from accounts.access import end_access
from accounts.entrance.backend import find_account
from accounts.entrance.device import device_of
from accounts.entrance.failures import note_failure
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
        end_access(user, why="address confirmed", actor=user, keep=request)
    post_notice(Mail.Kind.CONFIRMED, user, of=email_address)


@receiver(password_changed, dispatch_uid="accounts.after_change")
def after_change(request: HttpRequest, user: User, **_: Any) -> None:
    """End what was opened with the old password, tokens too; the browser that has changed it stays signed in."""
    end_access(user, why="password changed", actor=user, keep=request)
    post_notice(Mail.Kind.PASSWORD, user)


@receiver(password_reset, dispatch_uid="accounts.after_reset")
def after_reset(request: HttpRequest, user: User, **_: Any) -> None:
    """End what was opened with the old password, and by it."""
    end_access(user, why="password set anew", actor=user)
    post_notice(Mail.Kind.PASSWORD, user)


@receiver(user_logged_in, dispatch_uid="accounts.after_sign_in")
def after_sign_in(request: HttpRequest, user: User, **_: Any) -> None:
    """Kept for good of whoever has rights; players see their own sign-ins as long as these are open."""
    if user.is_staff:
        after = {**device_of(request), "second_factor": user.has_second_factor}
        audit.record(actor=user, action="user.signed_in", target=user, after=after)


@receiver(user_login_failed, dispatch_uid="accounts.after_failure")
def after_failure(
    credentials: dict[str, Any], request: HttpRequest | None = None, **_: Any
) -> None:
    """A wrong password, of signing in or entered once more."""
    account = find_account(credentials.get("email") or credentials.get("username") or "")
    note_failure(account, wrong="passwords", **(device_of(request) if request else {}))
