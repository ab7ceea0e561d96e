"""Reports, appeals and changes of names that nobody needs any more."""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Q, QuerySet

from moderation.models import Appeal, Case, NameChange, PlayerReport
from moderation.rename import COUNTED_FOR

__all__ = ["old_cases"]


def old_cases(now: datetime) -> dict[str, QuerySet[Any]]:
    """What is to be deleted, by what it is. An appeal stays while what it is against is in force: there is one each."""
    if settings.KEEP_CASES is None:
        return {}
    before = now - timedelta(days=settings.KEEP_CASES)
    # However long cases are kept, names are counted and held as long as the settings say.
    names = min(before, now - COUNTED_FOR, now - timedelta(days=settings.HOLD_NAMES))
    is_over = Q(sanction__lifted_at__lt=before) | Q(sanction__until__lt=before)
    is_over |= Q(name_change__undone_at__lt=before)
    return {
        "player_reports": PlayerReport.objects.filter(closed_at__lt=before),
        "cases": Case.objects.filter(decided_at__lt=before, appeal=None),
        "appeals": Appeal.objects.filter(is_over, case__decided_at__lt=before),
        "names": NameChange.objects.filter(
            Q(is_reset=False) | Q(undone_at__lt=names), at__lt=names, appeal=None
        ),
    }
