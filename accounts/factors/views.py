"""Pages of the second factor that do more than django-allauth's own: each change is whole, recorded and told."""

from typing import Any

from allauth.mfa.base.views import AuthenticateView, IndexView
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.views import GenerateRecoveryCodesView
from allauth.mfa.totp.views import ActivateTOTPView, DeactivateTOTPView
from allauth.mfa.webauthn.views import AddWebAuthnView, RemoveWebAuthnView
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from accounts.audited_admin import actor_of
from accounts.factors.changes import note_change
from accounts.factors.codes import note_first
from accounts.factors.duty import due_at, is_overdue

__all__ = [
    "ActivateAppView",
    "AddPasskeyView",
    "DeactivateAppView",
    "FactorsView",
    "RemovePasskeyView",
    "RenewCodesView",
    "SecondStepView",
]

MOST_PASSKEYS = 20
_APP, _PASSKEY, _CODES = (
    Authenticator.Type.TOTP,
    Authenticator.Type.WEBAUTHN,
    Authenticator.Type.RECOVERY_CODES,
)


@method_decorator([never_cache, login_required], name="dispatch")
class FactorsView(IndexView):
    """What signing in asks for besides the password, and from when on the admin does."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)
        user = actor_of(self.request)
        held = context["authenticators"]
        codes = held.get(_CODES)
        context.update(
            {
                "app": held.get(_APP),
                "passkeys": held.get(_PASSKEY, []),
                "codes_left": None if codes is None else len(codes.get_unused_codes()),
                "due": due_at(user),
                "is_overdue": is_overdue(user),
            }
        )
        return context


@method_decorator(never_cache, name="dispatch")
class ActivateAppView(ActivateTOTPView):
    """Set up an app. The code that shows it works is used up by that."""

    def form_valid(self, form: Any) -> HttpResponse:
        try:
            with transaction.atomic():
                answer: HttpResponse = super().form_valid(form)
                note_first(actor_of(self.request), form.cleaned_data["code"])
                note_change(self.request, "added", _APP)
        except IntegrityError:  # two pages at once: the other was faster
            return redirect("mfa_index")
        return answer


@method_decorator(never_cache, name="dispatch")
class DeactivateAppView(DeactivateTOTPView):
    """Sign in without the app from now on."""

    def form_valid(self, form: Any) -> HttpResponse:
        with transaction.atomic():
            answer: HttpResponse = super().form_valid(form)
            note_change(self.request, "removed", _APP)
        return answer


@method_decorator(never_cache, name="dispatch")
class AddPasskeyView(AddWebAuthnView):
    """Add a passkey, while there are not too many: each is read, and told to browsers, at every sign-in."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        held = Authenticator.objects.filter(user_id=request.user.pk, type=_PASSKEY)
        if held.count() < MOST_PASSKEYS:
            answer: HttpResponseBase = super().dispatch(request, *args, **kwargs)
            return answer
        words = _("You have %(most)d passkeys, the most that there can be. Remove one first.")
        messages.error(request, words % {"most": MOST_PASSKEYS})
        return redirect("mfa_index")

    def form_valid(self, form: Any) -> HttpResponse:
        with transaction.atomic():
            answer: HttpResponse = super().form_valid(form)
            note_change(self.request, "added", _PASSKEY)
        return answer


@method_decorator(never_cache, name="dispatch")
class RemovePasskeyView(RemoveWebAuthnView):
    """Remove a passkey."""

    def form_valid(self, form: Any) -> HttpResponse:
        with transaction.atomic():
            answer: HttpResponse = super().form_valid(form)
            note_change(self.request, "removed", _PASSKEY)
        return answer


@method_decorator(never_cache, name="dispatch")
class RenewCodesView(GenerateRecoveryCodesView):
    """Make new recovery codes in the place of the old ones."""

    def form_valid(self, form: Any) -> HttpResponse:
        with transaction.atomic():
            answer: HttpResponse = super().form_valid(form)
            note_change(self.request, "renewed", _CODES)
        return answer


class SecondStepView(AuthenticateView):
    """The second step of signing in: offers what the account has."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)
        asked = context["js_data"]["request_options"]["publicKey"]
        context["has_passkey"] = bool(asked.get("allowCredentials"))
        return context
