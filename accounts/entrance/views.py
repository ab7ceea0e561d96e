"""Pages of the entrance that differ from django-allauth's own."""

from typing import Any

from allauth.account import views
from allauth.account.internal.flows.login import record_authentication
from allauth.account.utils import perform_login
from allauth.decorators import rate_limit
from django.contrib import messages
from django.contrib.auth import logout
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _

from accounts.mail import is_configured
from accounts.models import User

__all__ = [
    "AddressesView",
    "ConfirmView",
    "PasswordResetView",
    "ResetDoneView",
    "ResetFromKeyView",
    "SignupView",
]


class SignupView(views.SignupView):
    """Sign up; of two who choose names that look alike in the same instant, the second is told."""

    def form_valid(self, form: Any) -> HttpResponse:
        try:
            return super().form_valid(form)
        except IntegrityError:
            wanted = User(username=form.cleaned_data["username"])
            try:
                wanted.check_name()
            except ValidationError as error:
                form.add_error("username", error)
                return self.form_invalid(form)
            raise  # of something else


class PasswordResetView(views.PasswordResetView):
    """Ask for a link, or be told that the operator makes it."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not is_configured():
            return render(request, "account/password_reset_by_operator.html")
        return super().dispatch(request, *args, **kwargs)


class ResetDoneView(views.PasswordResetDoneView):
    """What happens now; without mail nothing does."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not is_configured():
            return redirect("account_reset_password")
        return super().dispatch(request, *args, **kwargs)


@method_decorator(rate_limit(action="reset_link", limit_get=True), name="dispatch")
class ResetFromKeyView(views.PasswordResetFromKeyView):
    """Set the password, end what was opened with the old one, and show what is left to check."""

    def form_valid(self, form: Any) -> HttpResponse:
        with transaction.atomic():
            super().form_valid(form)
        if self.request.user.pk == self.reset_user.pk:
            logout(self.request)  # its sign-in has ended as well, and the session with it
        page = reverse("account-security")
        answer = perform_login(
            self.request,
            self.reset_user,
            email_verification="none",
            redirect_url=f"{page}?after=reset",
        )
        if self.request.user.pk == self.reset_user.pk:
            # Addresses of whoever was here before can be removed without typing the new password at once again.
            record_authentication(
                self.request, self.reset_user, method="password", reauthenticated=True
            )
        return answer


@method_decorator(rate_limit(action="confirm_link", limit_get=True), name="dispatch")
class ConfirmView(views.ConfirmEmailView):
    """Confirm an address, whole or not at all."""

    def post(self, *args: Any, **kwargs: Any) -> HttpResponse:
        with transaction.atomic():
            return super().post(*args, **kwargs)


class AddressesView(views.EmailView):
    """The addresses of the account. Without mail none can be confirmed, so none is taken."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not is_configured() and not {"action_remove", "action_primary"} & {*request.POST}:
            messages.error(request, _("This site sends no mail, so it takes no addresses."))
            return HttpResponseRedirect(reverse("account_email"))
        return super().post(request, *args, **kwargs)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)
        context["can_add_email"] = is_configured() and context["can_add_email"]
        return context
