"""Accepting the rules: what was read is what is accepted, and a version that asks everybody is waited for."""

from accounts.models import User
from accounts.texts.current import SiteTexts
from accounts.texts.models import Consent, SiteText

__all__ = ["accept_rules", "must_accept"]


def must_accept(user: User, texts: SiteTexts) -> bool:
    """Whether the rules ask everybody, and this account has not accepted them since. No query where they ask nobody."""
    if not texts.asks_from:
        return False
    return not Consent.objects.filter(account=user, version__gte=texts.asks_from).exists()


def accept_rules(user: User, text: SiteText, version: int) -> None:
    """Keep that an account has accepted the rules in the words of `text`, the newest of them being `version`."""
    # Pressed twice, or in two windows, it is the same consent.
    Consent.objects.bulk_create(
        [Consent(account=user, text=text, version=version)], ignore_conflicts=True
    )
