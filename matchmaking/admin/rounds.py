"""Rounds at set times: when a queue has them, and what came of each."""

from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.audited_admin import AuditedAdmin
from foundation.read_only_admin import BoundedPaginator, ReadOnlyAdmin, ReadOnlyInline
from matchmaking.models import Round, RoundEntry, RoundTime
from ratings.admin.noted_form import NotedForm

_DAYS = (
    _("Monday"),
    _("Tuesday"),
    _("Wednesday"),
    _("Thursday"),
    _("Friday"),
    _("Saturday"),
    _("Sunday"),
)


class RoundTimeForm(NotedForm[RoundTime]):
    """Days are ticked one by one, and zones are those that are known."""

    days = forms.TypedMultipleChoiceField(
        label=_("days of the week"),
        choices=list(enumerate(_DAYS)),
        coerce=int,
        widget=forms.CheckboxSelectMultiple,
        initial=list(range(7)),
    )
    also_stored = ("weekdays",)

    class Meta:
        model = RoundTime
        fields = ("queue", "at", "zone", "is_on")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk is not None:
            self.initial["days"] = [day for day in range(7) if self.instance.weekdays >> day & 1]

    def clean_zone(self) -> str:
        zone: str = self.cleaned_data["zone"]
        if zone not in available_timezones():
            raise forms.ValidationError(
                _("There is no time zone “%(zone)s”. Name one as Europe/Berlin."),
                params={"zone": zone},
            )
        return zone

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if days := cleaned.get("days"):
            self.instance.weekdays = sum(1 << day for day in days)
        return cleaned


@admin.register(RoundTime)
class RoundTimeAdmin(AuditedAdmin[RoundTime]):
    """By queue and time. Rounds of the coming week are announced within seconds."""

    form = RoundTimeForm
    list_display = ["queue", "at", "zone", "is_on"]
    list_select_related = ["queue"]
    ordering = ["queue_id", "at", "id"]
    sortable_by = ()
    actions = None

    def get_fieldsets(self, request: HttpRequest, obj: RoundTime | None = None) -> Any:
        names = ["queue", "days", "at", "zone", "is_on"]
        return [(None, {"fields": names}), (_("This change"), {"fields": ["note"]})]

    def get_readonly_fields(self, request: HttpRequest, obj: RoundTime | None = None) -> list[str]:
        """Where rounds were announced already they stay with their queue."""
        return ["queue"] if obj else []

    def has_delete_permission(self, request: HttpRequest, obj: RoundTime | None = None) -> bool:
        return False


class RoundEntryInline(ReadOnlyInline[RoundEntry, Round]):
    """Who joined, and what came of it."""

    model = RoundEntry
    fields = ("player", "state", "seen_at", "ticket")
    readonly_fields = fields


@admin.register(Round)
class RoundAdmin(ReadOnlyAdmin[Round]):
    """For looking: who joined, who searched, who was passed over."""

    list_display = ["queue", "starts_at", "state", "ended_at"]
    list_select_related = ["queue"]
    ordering = ["-starts_at", "id"]
    sortable_by = ()
    paginator = BoundedPaginator
    show_full_result_count = False
    inlines = [RoundEntryInline]
