"""Changing columns of a thing, with the entry in the audit log."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models

from accounts import audit
from accounts.audited_admin import differences, snapshot
from accounts.models import User

__all__ = ["change_columns", "check_columns"]


def check_columns(thing: models.Model, values: Mapping[str, Any]) -> dict[str, Any]:
    """The values as their columns keep them, by name. Raises ValidationError with every column that refuses its own."""
    checked, wrong = {}, {}
    for name, value in values.items():
        field: models.Field[Any, Any] = type(thing)._meta.get_field(name)  # type: ignore[assignment]
        try:
            checked[name] = field.clean(value, thing)
        except ValidationError as error:
            wrong[name] = error.error_list
    if wrong:
        raise ValidationError(wrong)
    return checked


def change_columns(
    thing: models.Model, values: Mapping[str, Any], *, actor: User | None, note: str = ""
) -> bool:
    """Write those of the values that differ, and say so in the log; returns whether any did.

    For things that were read anew under a lock of theirs, in the transaction that holds it. Raises ValidationError.
    """
    before = snapshot(thing, values)
    for name, value in check_columns(thing, values).items():
        setattr(thing, name, value)
    thing.validate_constraints(exclude=["slug"])
    before, after = differences(before, snapshot(thing, values))
    if not after:
        return False
    thing.save(update_fields=[*after])
    action = f"{thing._meta.model_name}.changed"
    audit.record(actor=actor, action=action, target=thing, before=before, after=after, note=note)
    return True
