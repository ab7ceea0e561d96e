"""Forms of the second factor, in the words of the other pages.

django-allauth's own give all attempts of an address back with each right code: whoever has an account could go on
guessing the passwords of others for as long as they liked. Here an attempt gives itself back.
"""

import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from allauth.account.adapter import get_adapter as get_account_adapter
from allauth.core import context
from allauth.core.internal import ratelimit
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.webauthn.forms import (
    AddWebAuthnForm,
    AuthenticateWebAuthnForm,
    EditWebAuthnForm,
    ReauthenticateWebAuthnForm,
)
from allauth.mfa.webauthn.internal import auth
from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.entrance.device import device_of
from accounts.entrance.failures import are_codes_used_up, note_failure
from accounts.factors.codes import step_of, use_code

__all__ = [
    "AddPasskeyForm",
    "CodeAgainForm",
    "CodeForm",
    "FirstCodeForm",
    "PasskeyAgainForm",
    "PasskeyForm",
    "RenamePasskeyForm",
]

_LONGEST_NAME = 60


def _code_field(label: Any) -> forms.CharField:
    attributes = {"autocomplete": "one-time-code", "spellcheck": "false", "autofocus": True}
    return forms.CharField(label=label, max_length=32, widget=forms.TextInput(attrs=attributes))


def _attempt(user: Any) -> Callable[[], None]:
    """Count one at a code of `user`, which is refused if it is one too many; what gives it back."""
    used = ratelimit.consume(
        context.request, app="allauth.account", action="code_failed", key=f"account:{user.pk}"
    )
    if not used:
        raise get_account_adapter().validation_error("too_many_codes")
    if are_codes_used_up(user):
        raise get_account_adapter().validation_error("too_many_codes_today")
    give_back: Callable[[], None] = used.rollback
    return give_back


class _UsedUpCode:
    """A code is looked at within limits such as passwords have, and counts once."""

    user: Any
    cleaned_data: dict[str, Any]
    authenticator: Any

    def clean_code(self) -> str:
        """Use the code up."""
        give_back = _attempt(self.user)
        code: str = self.cleaned_data["code"]
        if (factor := use_code(self.user, code)) is None:
            note_failure(self.user, wrong="codes", **device_of(context.request))
            raise get_adapter().validation_error("incorrect_code")
        self.authenticator = factor
        give_back()
        return code


class CodeForm(_UsedUpCode, AuthenticateForm):
    """The second step of signing in."""

    code = _code_field(_("Code from your app, or a recovery code"))


class CodeAgainForm(_UsedUpCode, ReauthenticateForm):
    """A code once more, before something that matters."""

    code = _code_field(_("Code from your app, or a recovery code"))


class FirstCodeForm(ActivateTOTPForm):
    """Shows that the app has the secret, which is on the page: there is nothing to guess."""

    code = _code_field(_("The code that the app shows now"))

    def clean_code(self) -> str:
        """Only one of now."""
        code: str = self.cleaned_data["code"]
        if step_of(self.secret, code) is None:
            raise get_adapter().validation_error("incorrect_code")
        return code


@contextmanager
def _from_anybody() -> Iterator[None]:
    """Read what a browser sends: of anything but a passkey's answer the library says KeyError and the like."""
    try:
        yield
    except (AttributeError, LookupError, TypeError, ValueError, struct.error):
        raise get_adapter().validation_error("incorrect_code") from None


class _Signed:
    """What a passkey has signed; nobody guesses that, so that no attempts are counted."""

    user: Any
    cleaned_data: dict[str, Any]

    def clean_credential(self) -> Authenticator:
        """Find the passkey that has signed what this page has asked for."""
        signed = self.cleaned_data["credential"]
        with _from_anybody():
            auth.parse_authentication_response(signed)
            return auth.complete_authentication(self.user, signed)


class PasskeyForm(_Signed, AuthenticateWebAuthnForm):
    """The second step of signing in, by a passkey."""


class PasskeyAgainForm(_Signed, ReauthenticateWebAuthnForm):
    """A passkey once more, before something that matters."""


class AddPasskeyForm(AddWebAuthnForm):
    """A passkey, by a name."""

    name = forms.CharField(label=_("Name"), max_length=_LONGEST_NAME, required=False)

    def clean(self) -> dict[str, Any]:
        """Check what the browser has made."""
        with _from_anybody():
            return super().clean()


class RenamePasskeyForm(EditWebAuthnForm):
    """Another name for it."""

    name = forms.CharField(label=_("Name"), max_length=_LONGEST_NAME)
