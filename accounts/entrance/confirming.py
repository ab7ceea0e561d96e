"""The pages that ask who it is once more: a form that waits for the answer is carried out by it."""

from typing import Any

from allauth.account.views import BaseReauthenticateView, ReauthenticateView
from allauth.mfa.base.views import ReauthenticateView as ReauthenticateByCodeView
from allauth.mfa.webauthn.views import ReauthenticateWebAuthnView
from django.http import HttpResponse

from accounts.entrance.fresh import carry_out

__all__ = ["ByCodeView", "ByPasskeyView", "ByPasswordView"]


class _CarriesOut(BaseReauthenticateView):
    """Stands between a page of django-allauth, which says that the sign-in is fresh, and what it would do then."""

    def form_valid(self, form: Any) -> HttpResponse:
        return carry_out(self.request) or super().form_valid(form)


class ByPasswordView(ReauthenticateView, _CarriesOut):
    """By the password."""


class ByCodeView(ReauthenticateByCodeView, _CarriesOut):
    """By a code of the app, or a recovery code."""


class ByPasskeyView(ReauthenticateWebAuthnView, _CarriesOut):
    """By a passkey."""
