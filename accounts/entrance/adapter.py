"""What django-allauth does otherwise on this site."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.login import record_authentication
from allauth.core.internal import ratelimit
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy

from accounts.entrance.attempts import attempted
from accounts.entrance.backend import account_key
from accounts.mail.post import post_confirmation
from accounts.models import User
from foundation.requests.addresses import address_of, plain
from foundation.requests.time_limits import time_to_finish

__all__ = ["AccountAdapter"]

_STAGE = "allauth.account.stages.EmailVerificationStage"
_WAYS = {
    "reauthenticate": gettext_lazy("Use your password"),
    "mfa_reauthenticate": gettext_lazy("Use a code"),
    "mfa_reauthenticate:webauthn": gettext_lazy("Use a passkey"),
}
_OURS = "accounts.entrance.confirmation_stage.ConfirmationStage"


class AccountAdapter(DefaultAccountAdapter):
    """Mails are asked for, not sent; attempts are counted by account; a confirmed address leads to what to check."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "too_many_login_attempts": gettext_lazy(
            "Too many wrong passwords. Try again in five minutes."
        ),
        "too_many_codes": gettext_lazy("Too many wrong codes. Try again in five minutes."),
        "too_many_codes_today": gettext_lazy(
            "Too many wrong codes today. Try again tomorrow, or ask an admin to reset your second factor."
        ),
    }

    _has_just_signed_up = False
    _key = ""  # of the account that somebody signs in to
    _attempt: Any = None  # counted against the limit of all addresses together

    def clean_username(self, username: str, shallow: bool = False) -> str:
        name = str(super().clean_username(username, shallow=shallow))
        if not shallow:
            User(username=name).check_name()
        return name

    def send_confirmation_mail(
        self, request: HttpRequest, emailconfirmation: Any, signup: bool
    ) -> None:
        address = emailconfirmation.email_address
        post_confirmation(address.user, address.email)

    def get_login_stages(self) -> list[str]:
        return [_OURS if stage == _STAGE else stage for stage in super().get_login_stages()]

    def get_email_verification_redirect_url(self, email_address: Any) -> str:
        """The page of what else opens the account; those who are not signed in get there by signing in."""
        page = reverse("account-security")
        if self.request.user.is_authenticated:
            return page
        return f"{reverse('account_login')}?{urlencode({'next': page})}"

    def pre_login(
        self, request: HttpRequest, user: Any, *, signup: bool, **rest: Any
    ) -> HttpResponse | None:
        """Who signs up has typed the password just now: it is not asked for again at once."""
        if signup:
            record_authentication(request, user, method="password", reauthenticated=True)
        answer: HttpResponse | None = super().pre_login(request, user, signup=signup, **rest)
        return answer

    def post_login(
        self, request: HttpRequest, user: Any, *, signup: bool, **rest: Any
    ) -> HttpResponse:
        self._has_just_signed_up = signup
        answer: HttpResponse = super().post_login(request, user, signup=signup, **rest)
        return answer

    def add_message(
        self,
        request: HttpRequest,
        level: int,
        message_template: str | None = None,
        *more: Any,
        **rest: Any,
    ) -> None:
        """Who has just made an account is told that, not that signing in went well."""
        if self._has_just_signed_up and message_template == "account/messages/logged_in.txt":
            message_template = "account/messages/signed_up.txt"
        super().add_message(request, level, message_template, *more, **rest)

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        self._key = _key_of(credentials)
        with time_to_finish(request):
            super().pre_authenticate(request, **credentials)
            self._attempt = ratelimit.consume(
                request, app="allauth.account", action="login_failed_anywhere", key=self._key
            )
        if not self._attempt:
            raise self.validation_error("too_many_login_attempts")

    def authenticate(self, request: HttpRequest, **credentials: Any) -> AbstractBaseUser | None:
        """Compare the password; an attempt that the site gives up costs nothing.

        Unless the password was found wrong: else whoever makes the site slow could guess for nothing.
        """
        with attempted() as attempt:
            try:
                return super().authenticate(request, **credentials)
            except ValidationError:  # refused: one too many
                raise
            except BaseException:
                if not attempt.is_wrong:
                    self._rollback_login_failed_rl_usage()
                raise

    def _rollback_login_failed_rl_usage(self) -> None:
        """Give the attempt back: the password was right, or was not looked at."""
        with time_to_finish(self.request):
            super()._rollback_login_failed_rl_usage()
            if self._attempt:
                self._attempt.rollback()

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        """With a second factor it is that: the password alone is not enough to get in either."""
        ways: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        chosen = [one for one in ways if one["id"] != "reauthenticate"] or ways
        return [{**one, "description": _WAYS[one["id"]]} for one in chosen]

    def get_client_ip(self, request: HttpRequest) -> str:
        return plain(super().get_client_ip(request))

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Of one account from one network: nobody keeps an owner out who comes from somewhere else."""
        return f"{self._key or _key_of(credentials)}:{address_of(request)}"


def _key_of(credentials: dict[str, Any]) -> str:
    # In the order in which the account is looked for.
    return account_key(str(credentials.get("username") or credentials.get("email") or ""))
