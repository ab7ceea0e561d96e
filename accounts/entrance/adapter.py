"""What django-allauth does otherwise on this site."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.internal import ratelimit
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.entrance.backend import account_key
from accounts.mail.post import post_confirmation
from accounts.models import User
from foundation.addresses import address_of, plain

__all__ = ["AccountAdapter"]

_STAGE = "allauth.account.stages.EmailVerificationStage"
_OURS = "accounts.entrance.confirmation_stage.ConfirmationStage"


class AccountAdapter(DefaultAccountAdapter):
    """Mails are asked for, not sent; attempts are counted by account; a confirmed address leads to what to check."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "too_many_login_attempts": gettext_lazy(
            "Too many wrong passwords. Try again in five minutes."
        ),
    }

    _attempt: Any = None  # counted against the limit of all addresses together

    def clean_username(self, username: str, shallow: bool = False) -> str:
        if "@" in username:
            words = _("A name may not contain @: it would look like an e-mail address.")
            raise ValidationError(words, code="looks_like_an_address")
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

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        super().pre_authenticate(request, **credentials)
        self._attempt = ratelimit.consume(
            request,
            app="allauth.account",
            action="login_failed_anywhere",
            key=_key_of(credentials),
        )
        if not self._attempt:
            raise self.validation_error("too_many_login_attempts")

    def _rollback_login_failed_rl_usage(self) -> None:
        """The password was right."""
        super()._rollback_login_failed_rl_usage()
        if self._attempt:
            self._attempt.rollback()

    def get_client_ip(self, request: HttpRequest) -> str:
        return plain(super().get_client_ip(request))

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Of one account from one network: nobody keeps an owner out who comes from somewhere else."""
        return f"{_key_of(credentials)}:{address_of(request)}"


def _key_of(credentials: dict[str, Any]) -> str:
    return account_key(str(credentials.get("email") or credentials.get("username") or ""))
