"""Writing the audit log: every change by a person leaves an entry, in the transaction of the change."""

from collections.abc import Mapping
from typing import Any

from django.db import models

from accounts.models import AuditEntry, User

__all__ = ["record"]


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
        action=action,
        target_type=target._meta.label_lower,
        target_id=str(target.pk),
        before=None if before is None else dict(before),
        after=None if after is None else dict(after),
        note=note,
    )
