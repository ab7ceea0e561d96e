"""The pages that ask who it is once more: a form that waits for the answer is carried out by it."""

from collections.abc import Callable
from typing import Any

from allauth.account.views import BaseReauthenticateView, ReauthenticateView
from allauth.core.exceptions import ReauthenticationRequired
from allauth.mfa.base.views import ReauthenticateView as ReauthenticateByCodeView
from allauth.mfa.webauthn.views import ReauthenticateWebAuthnView
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse

from accounts.entrance.fresh import ask_again, carry_out

__all__ = ["ByCodeView", "ByPasskeyView", "ByPasswordView", "FormsWaitMiddleware"]


class FormsWaitMiddleware:
    """Lets forms of django-allauth's own pages wait as ours do. Stands below its middleware, which keeps one alone: the
    next takes its place and is carried out by its confirmation, also one that somebody signed out had sent.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Ask who it is before a form is carried out."""
        if not isinstance(error, ReauthenticationRequired) or request.method != "POST":
            return None
        if request.user.is_authenticated:
            return ask_again(request)
        return redirect_to_login(request.get_full_path())  # which config.web.signed_out tells of


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
