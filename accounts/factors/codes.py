"""Codes at sign-in: each counts once, and so many wrong ones a day are too many, whatever Valkey remembers."""

from allauth.core.internal.cryptokit import compare_user_code
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import (
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)
from allauth.mfa.utils import decrypt
from django.db import transaction

from accounts import audit
from accounts.models import User

__all__ = ["note_first", "step_of", "use_code"]

_LAST = "last_step"  # in the data of an app's factor: the half minute whose code was used last


def step_of(secret: str, code: str) -> int | None:
    """The half minute whose code of `secret` this is, of those that count now; None where it is another."""
    for step in yield_hotp_counters_from_time():
        if compare_user_code(actual=code, expected=format_hotp_value(hotp_value(secret, step))):
            return int(step)
    return None


def use_code(user: User, code: str) -> Authenticator | None:
    """The app or the recovery codes of `user` by which `code` is right; it is used up then. Else None."""
    with transaction.atomic():
        held = Authenticator.objects.filter(user=user).exclude(type=Authenticator.Type.WEBAUTHN)
        for factor in held.select_for_update(of=("self",)).order_by("pk"):
            if factor.type == Authenticator.Type.TOTP:
                is_right = _use_step(factor, code)
            else:
                is_right = bool(factor.wrap().validate_code(code))
                if is_right:
                    left = len(Authenticator.objects.get(pk=factor.pk).wrap().get_unused_codes())
                    audit.record(
                        actor=user,
                        action="user.recovery_code_used",
                        target=user,
                        after={"left": left},
                    )
            if is_right:
                factor.refresh_from_db()
                factor.user = user
                return factor
    return None


def note_first(user: User, code: str) -> None:
    """Use up the code by which an app was just set up."""
    with transaction.atomic():
        held = Authenticator.objects.select_for_update(of=("self",))
        _use_step(held.get(user=user, type=Authenticator.Type.TOTP), code)


def _use_step(factor: Authenticator, code: str) -> bool:
    """Codes of the half minute used last, and of those before it, are over: nobody uses one that was looked at."""
    step = step_of(decrypt(factor.data["secret"]), code)
    newest = max(yield_hotp_counters_from_time())
    last = int(factor.data.get(_LAST, 0))
    if step is None or step <= last <= newest:  # a later one is of a clock that ran ahead
        return False
    factor.data[_LAST] = step
    factor.save(update_fields=["data"])
    return True
