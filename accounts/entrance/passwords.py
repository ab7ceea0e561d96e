"""The rules for passwords that Django has, told in these pages' apostrophes."""

from django.contrib.auth import password_validation as django_rules
from django.utils.translation import gettext as _

__all__ = ["NotCommon", "NotLikeTheAccount", "NotOnlyDigits"]


class NotLikeTheAccount(django_rules.UserAttributeSimilarityValidator):
    """Refuses one that is much like the name or the address."""

    def get_help_text(self) -> str:
        return _("Your password can't be too similar to your other personal information.")


class NotCommon(django_rules.CommonPasswordValidator):
    """Refuses one that many use."""

    def get_help_text(self) -> str:
        return _("Your password can't be a commonly used password.")


class NotOnlyDigits(django_rules.NumericPasswordValidator):
    """Refuses one of digits alone."""

    def get_help_text(self) -> str:
        return _("Your password can't be entirely numeric.")
