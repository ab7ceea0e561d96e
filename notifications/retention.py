"""How long notices, and browsers that take none, are kept."""

from datetime import timedelta

from django.db.models import Q

from foundation import clock
from foundation.postgresql.rows import delete_in_batches
from notifications.models import Delivery, Notice, PushSubscription, Sent
from notifications.tell import COUNTED_FOR

__all__ = ["KEPT_DAYS", "SILENT_DAYS", "forget"]

KEPT_DAYS = 60  # a notice, read or not
SILENT_DAYS = 60  # a browser whose pushes all fail, since the last that was taken
_ROWS = 2000
_OURS = ("401", "403")  # whose fault may be this site's own


def forget() -> int:
    """Delete what is older; returns how many notices and browsers went."""
    now = clock.now()
    old = Notice.objects.filter(created_at__lt=now - timedelta(days=KEPT_DAYS))
    Delivery.objects.filter(notice__in=old).delete()
    delete_in_batches(Sent.objects.filter(at__lte=now - COUNTED_FOR), _ROWS)
    silent = now - timedelta(days=SILENT_DAYS)
    is_silent = Q(sent_at__lt=silent) | Q(sent_at=None, created_at__lt=silent)
    browsers = PushSubscription.objects.filter(is_silent, failures__gt=0)
    for ours in _OURS:
        browsers = browsers.exclude(trouble__startswith=ours)
    gone = len(browsers)
    for browser in browsers:
        browser.delete()
    return gone + delete_in_batches(old, _ROWS)
