"""What django-allauth's second factors do otherwise on this site."""

import base64
import hashlib
import secrets
from typing import Any

import structlog
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.utils.encoding import force_bytes
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

__all__ = ["FactorAdapter"]

log = structlog.get_logger(__name__)


class FactorAdapter(DefaultMFAAdapter):
    """Secrets are sealed in the database, and accounts without a factor cost no query."""

    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": gettext_lazy("That code is wrong, or was used already."),
        "cannot_generate_recovery_codes": gettext_lazy(
            "Set up an app or a passkey first: recovery codes stand in for them."
        ),
    }

    def is_mfa_enabled(self, user: Any, types: Any = None) -> bool:
        """Of the account as it was just read: the database keeps `has_second_factor`."""
        return bool(getattr(user, "has_second_factor", False)) and super().is_mfa_enabled(
            user, types
        )

    def get_totp_label(self, user: Any) -> str:
        return str(user.get_username())

    def get_totp_issuer(self) -> str:
        return f"Evenmatch {self._get_site_name()}"

    def _get_user_identifier(self, user: Any) -> str:
        return str(user.get_username())

    def generate_authenticator_name(self, user: Any, type: Any) -> str:  # noqa: A002
        number = Authenticator.objects.filter(user_id=user.pk, type=type).count() + 1
        return _("Passkey %(number)d") % {"number": number}

    def encrypt(self, text: str) -> str:
        return _seal().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Under another secret key than it was sealed with: a secret of which nobody knows a code."""
        try:
            return _seal().decrypt(encrypted_text.encode()).decode()
        except InvalidToken:
            log.error("second_factor.unreadable", hint="is it the secret key of before?")
            return base64.b32encode(secrets.token_bytes(20)).decode()


def _seal() -> MultiFernet:
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    digests = [hashlib.sha256(b"accounts.factors " + force_bytes(key)).digest() for key in keys]
    return MultiFernet([Fernet(base64.urlsafe_b64encode(digest)) for digest in digests])
