"""Writing the audit log: every change by a person leaves an entry, in the transaction of the change."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.db import models
from django.urls import NoReverseMatch, reverse

from accounts.models import AuditEntry, User

__all__ = ["acting_through", "now_called", "page_of", "record"]

# What was renamed since: the log only grows.
_RENAMED = {"matchmaking.appeal": "matchmaking.offenceappeal"}

_through: ContextVar[str] = ContextVar("through", default="")


@contextmanager
def acting_through(name: str) -> Iterator[None]:
    """Have entries made within the block say by which key a program acts, of which no account is at work."""
    before = _through.set(name)
    try:
        yield
    finally:
        _through.reset(before)


def record(
    *,
    actor: User | None,
    action: str,
    target: models.Model,
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
    note: str = "",
) -> AuditEntry:
    """Add one entry for `target`. `before` and `after` hold only what changed, as JSON values."""
    return AuditEntry.objects.create(
        actor=actor,
        through=_through.get(),
        action=action,
        target_type=target._meta.label_lower,
        target_id=str(target.pk),
        before=None if before is None else dict(before),
        after=None if after is None else dict(after),
        note=note,
    )


def now_called(target_type: str) -> str:
    """The type of an entry's target by its name of today."""
    return _RENAMED.get(target_type, target_type)


def page_of(entry: AuditEntry) -> str | None:
    """The address in the admin of what an entry is about; None where such things have no page."""
    name = now_called(entry.target_type).replace(".", "_")
    try:
        return reverse(f"admin:{name}_change", args=[entry.target_id])
    except NoReverseMatch:
        return None
