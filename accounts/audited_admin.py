"""Admin forms whose every change leaves an entry in the audit log, and that never overwrite unseen changes."""

import hashlib
import json
from collections.abc import Iterable
from typing import Any, TypeVar, cast

from django import forms
from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection, models, transaction
from django.db.models import NOT_PROVIDED
from django.http import HttpRequest, HttpResponse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from accounts import audit
from accounts.models import User
from foundation.read_only_admin import ModelAdmin, ModelForm

__all__ = ["AuditedAdmin", "actor_of", "differences", "may_see", "snapshot"]

M = TypeVar("M", bound=models.Model)
Values = dict[str, Any]
SECRET = frozenset({"password"})
OPENED_AS = "opened_as"


def actor_of(request: HttpRequest) -> User:
    """Return the account at work: the admin lets nobody in without one."""
    return cast("User", request.user)


def may_see(request: HttpRequest, kind: str) -> bool:
    """Whether the account at work may look at things of a kind: "matchmaking.offer"."""
    app, _dot, name = kind.partition(".")
    return any(actor_of(request).has_perm(f"{app}.{verb}_{name}") for verb in ("view", "change"))


def snapshot(thing: models.Model, names: Iterable[str]) -> Values:
    """Return the fields of `thing` among `names` as JSON values; secrets and other names are left out."""
    values: Values = {}
    for name in names:
        try:
            field = thing._meta.get_field(name)
        except FieldDoesNotExist:
            continue
        if not isinstance(field, models.Field) or name in SECRET:
            continue
        value = field.value_from_object(thing)
        if field.many_to_many:
            value = sorted(related.pk for related in value)
        values[name] = json.loads(json.dumps(value, cls=DjangoJSONEncoder, default=str))
    return values


def differences(before: Values, after: Values) -> tuple[Values, Values]:
    """Return of both only what differs."""
    changed = [name for name in after if before.get(name) != after[name]]
    return {name: before.get(name) for name in changed}, {name: after[name] for name in changed}


def _digest(values: Values) -> str:
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:16]


class OpenedForm(ModelForm[Any]):
    """Remembers what it was opened with, and refuses to overwrite what changed since.

    A form may name columns that it fills without a field of their own: `also_stored`.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        exists = self.instance.pk is not None
        names = [*self.fields, *getattr(self, "also_stored", ())]
        self.stored = snapshot(self.instance, names) if exists else {}
        self.opened_as = self.data.get(OPENED_AS) or _digest(self.stored)

    def clean(self) -> Values | None:
        cleaned = super().clean()
        now = _digest(self.stored)
        if self.stored and self.opened_as != now:
            self.opened_as = now
            # What is stored now where it differs from what was typed.
            lines, stored = [], {**self.initial, **self.stored}
            for name in self.changed_data:
                if name in stored:
                    value = stored[name]
                    text = f"{value:.10g}" if isinstance(value, float) else str(value)
                    lines.append(f"{capfirst(self.fields[name].label or name)}: {text}")
            conflict = _(
                "Someone changed this after you opened it, so nothing was saved. "
                "Your values are still in the form. Stored now: %(stored)s. Save again to replace them."
            ) % {"stored": "; ".join(lines) or _("the same as your values")}
            raise ValidationError(conflict, code="conflict")
        return cleaned


class AuditedAdmin(ModelAdmin[M]):
    """Records who added, changed or deleted a thing, with the changed fields before and after.

    A field `note` of the form, where there is one, is kept with the entry.
    """

    def get_form(
        self, request: HttpRequest, obj: M | None = None, change: bool = False, **kwargs: Any
    ) -> "type[forms.ModelForm[M]]":
        form = super().get_form(request, obj, change=change, **kwargs)
        return type(form.__name__, (OpenedForm, form), {})

    def get_fields(self, request: HttpRequest, obj: M | None = None) -> Any:
        """Of a thing that is not there yet, nothing that the database fills in: its value is not known."""
        names = super().get_fields(request, obj)
        if obj is not None:
            return names
        columns = self.model._meta.concrete_fields
        filled = {column.name for column in columns if column.db_default is not NOT_PROVIDED}
        filled &= set(self.get_readonly_fields(request, obj))
        return [name for name in names if name not in filled]

    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> M | None:
        """When saving, lock first and read then: what is compared and recorded must be what is stored."""
        found = super().get_object(request, object_id, from_field)
        if found is None or request.method != "POST" or not connection.in_atomic_block:
            return found
        self.lock(found)
        return super().get_object(request, object_id, from_field)

    def lock(self, thing: M) -> None:
        """Keep others from changing `thing` until the transaction ends."""
        rows = self.model._default_manager.select_for_update(no_key=True)
        rows.filter(pk=thing.pk).first()

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        form = context["adminform"].form
        context[OPENED_AS] = getattr(form, OPENED_AS, "")
        return super().render_change_form(request, context, *args, **kwargs)

    def audited_names(self, form: Any, *, change: bool) -> list[str]:
        """What of the form this class records; a subclass leaves out what is recorded elsewhere."""
        return [*form.fields, *getattr(form, "also_stored", ())]

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        after = snapshot(form.instance, self.audited_names(form, change=change))
        before, after = differences(form.stored, after) if change else (None, after)
        if after or not change:
            note = form.cleaned_data.get("note", "")
            verb = "changed" if change else "added"
            self._record(request, verb, form.instance, before=before, after=after, note=note)

    def delete_model(self, request: HttpRequest, obj: M) -> None:
        with transaction.atomic():
            self._record_deletion(request, obj)
            super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: models.QuerySet[M]) -> None:
        with transaction.atomic():
            for thing in queryset:
                self._record_deletion(request, thing)
            super().delete_queryset(request, queryset)

    def _record_deletion(self, request: HttpRequest, thing: M) -> None:
        names = [field.name for field in thing._meta.concrete_fields]
        self._record(request, "deleted", thing, before=snapshot(thing, names))

    def _record(self, request: HttpRequest, verb: str, thing: M, **what: Any) -> None:
        action = f"{thing._meta.model_name}.{verb}"
        audit.record(actor=actor_of(request), action=action, target=thing, **what)
