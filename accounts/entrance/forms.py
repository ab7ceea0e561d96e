"""Forms that answer alike whether an account is known or not."""

from typing import Any

from allauth.account import forms
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext as _

from accounts.mail.post import post_reset
from accounts.texts.forms import WithRules

__all__ = ["LoginForm", "ResetPasswordForm", "SignupForm"]


class LoginForm(forms.LoginForm):
    """Asks in the words of the other pages."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].label = _("Username or e-mail address")
        self.fields["login"].widget.attrs.pop("placeholder", None)
        self.fields["remember"].label = _("Stay signed in")


class SignupForm(WithRules, forms.SignupForm):
    """Makes the account, be its address known or not: only the mail that follows tells, to whoever reads it.

    An account whose address another one has confirmed can never confirm it, and is deleted after a while.
    """

    def validate_unique_email(self, value: str) -> str:
        return value

    def try_save(self, request: HttpRequest) -> Any:
        with transaction.atomic():
            user, answer = super().try_save(request)
            if user is not None:
                self.keep_consent(user)
            return user, answer


class ResetPasswordForm(forms.ResetPasswordForm):
    """Asks for the mail; whether an account has this address is found out when it is written."""

    def clean_email(self) -> str:
        return str(self.cleaned_data["email"]).lower()

    def save(self, request: HttpRequest, **kwargs: Any) -> str:
        post_reset(self.cleaned_data["email"])
        return str(self.cleaned_data["email"])
