"""Accounts that were signed up for and never confirmed: they keep names from others."""

from datetime import timedelta

from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import Exists, OuterRef

from accounts.models import User
from foundation import clock

__all__ = ["KEPT", "forget_unconfirmed"]

KEPT = timedelta(days=7)
_BATCH = 500


def forget_unconfirmed() -> int:
    """Delete accounts of a week ago that have addresses, none of them confirmed, and never signed in."""
    addresses = EmailAddress.objects.filter(user=OuterRef("pk"))
    old = User.objects.filter(
        Exists(addresses),
        ~Exists(addresses.filter(verified=True)),
        last_login=None,
        is_staff=False,
        is_superuser=False,
        date_joined__lt=clock.now() - KEPT,
    )
    deleted = 0
    while pks := list(old.values_list("pk", flat=True)[:_BATCH]):
        # Those of them that are still unconfirmed: whoever confirms an address now comes first or waits.
        with transaction.atomic():
            accounts = old.filter(pk__in=pks)
            addresses_of = EmailAddress.objects.filter(user__in=accounts).order_by("pk")
            waiting = {row.user_id for row in addresses_of.select_for_update(of=("self",))}
            rows = accounts.filter(pk__in=waiting).select_for_update(of=("self",))
            still = [account.pk for account in rows]
            User.objects.filter(pk__in=still).delete()
        deleted += len(still)
    return deleted
