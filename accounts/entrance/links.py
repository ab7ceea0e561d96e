"""Links by which somebody sets a password anew: for once, and only until anything about the account's keys changes."""

from allauth.account.models import EmailAddress
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.urls import reverse

from accounts.models import User

__all__ = ["ResetTokens", "link_to_reset"]


class ResetTokens(PasswordResetTokenGenerator):
    """Tokens of these links. They end with a sign-in, another password, other confirmed addresses, an end of access."""

    def _make_hash_value(self, user: User, timestamp: int) -> str:
        confirmed = EmailAddress.objects.filter(user_id=user.pk, verified=True)
        addresses = "|".join(sorted(confirmed.values_list("email", flat=True)))
        base = super()._make_hash_value(user, timestamp)
        return f"{base}{user.sign_in_generation}{addresses}"


def link_to_reset(user: User) -> str:
    """The address at which `user` chooses a new password."""
    token = ResetTokens().make_token(user)
    given = {"uidb36": user_pk_to_url_str(user), "key": token}
    return settings.PUBLIC_URL + reverse("account_reset_password_from_key", kwargs=given)
