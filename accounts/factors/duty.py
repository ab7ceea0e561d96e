"""From when on staff owe a second factor."""

from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

from accounts.models import User
from foundation import clock

__all__ = ["due_at", "is_overdue"]


def due_at(user: User) -> datetime | None:
    """From when on the admin lets `user` in with a second factor only; None for whoever has one, or owes none.

    By the clock of this machine: a day of grace more or less is not worth a query on every page.
    """
    days = settings.STAFF_FACTOR_DAYS
    if days is None or not user.is_staff or user.has_second_factor:
        return None
    return (user.staff_since or _now()) + timedelta(days=days)


def is_overdue(user: User) -> bool:
    """Whether that time has come."""
    due = due_at(user)
    return due is not None and due <= _now()


def _now() -> datetime:
    return clock.replaced() or timezone.now()
