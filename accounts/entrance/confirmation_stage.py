"""The stage of signing in at which an address must be confirmed."""

from typing import Any

from allauth.account.app_settings import EmailVerificationMethod
from allauth.account.models import EmailAddress
from allauth.account.stages import EmailVerificationStage

from accounts.models import User

__all__ = ["ConfirmationStage"]


class ConfirmationStage(EmailVerificationStage):
    """Keeps out who signed up with an address and has not confirmed it yet.

    Accounts without any address, made while the site sent no mail or by an operator, have nothing to confirm; those
    that were let in before stay welcome.
    """

    def handle(self) -> tuple[Any, bool]:
        user = self.login.user
        if isinstance(user, User):
            verified = EmailAddress.objects.filter(user=user).values_list("verified", flat=True)
            if user.last_login is not None or {*verified} != {False}:
                self.login.email_verification = EmailVerificationMethod.NONE
        handled: tuple[Any, bool] = super().handle()
        return handled
