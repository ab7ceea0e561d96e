"""The audit log in the admin."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.utils.html import format_html
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _

from accounts.admin.log_export import export
from accounts.admin.log_filter import DatesAndPerson
from accounts.audit import page_of
from accounts.models import AuditEntry
from foundation.read_only_admin import ReadOnlyAdmin


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin[AuditEntry]):
    """Who changed what, when, and why; who with rights signed in, and how often that failed."""

    change_list_template = "admin/accounts/auditentry/change_list.html"
    list_display = ["at", "who", "action", "target", "what_changed"]
    list_filter = [DatesAndPerson, "action", "target_type"]
    list_select_related = ["actor"]
    search_fields = ["=target_id", "actor__username", "through", "note", "action"]
    search_help_text = _(
        "An object's number, an account's name, words from a note, or part of an action."
    )
    sortable_by = ()
    fields = ["at", "actor", "through", "action", "target", "before", "after", "note"]
    readonly_fields = ["target"]

    def get_urls(self) -> list[URLPattern]:
        own = self.admin_site.admin_view(self.export)
        return [path("export/", own, name="accounts_auditentry_export"), *super().get_urls()]

    def export(self, request: HttpRequest) -> HttpResponse:
        """What the list shows with its filters and its search, as a file."""
        found: QuerySet[AuditEntry] = self.get_changelist_instance(request).get_queryset(request)
        return export(request, found, may=self.has_view_permission(request))

    @admin.display(description=_("which one"))
    def target(self, entry: AuditEntry) -> str:
        """Its number, with a link to its page where it has one."""
        name = f"{entry.target_type} {entry.target_id}"
        if (address := page_of(entry)) is None:
            return name
        return format_html('<a href="{}">{}</a>', address, name)

    @admin.display(description=_("who"))
    def who(self, entry: AuditEntry) -> str:
        """The account, or the key of the program."""
        return str(entry.actor or entry.through or "–")

    @admin.display(description=_("why and what"))
    def what_changed(self, entry: AuditEntry) -> str:
        """The note, then the first few fields, before and after; the entry's own page has all of them.

        In one column, so that a usual screen shows the reason.
        """
        before, after = entry.before or {}, entry.after or {}
        names = list(after or before)
        lines = [f"{name}: {_brief(before, name)} → {_brief(after, name)}" for name in names[:3]]
        changed = "; ".join(lines + ["…"] * (len(names) > 3))
        if entry.note and changed:
            return format_html("<strong>{}</strong><br>{}", entry.note, changed)
        return entry.note or changed


def _brief(values: dict[str, Any], name: str) -> str:
    value = values.get(name)
    return "–" if value is None else Truncator(str(value)).chars(40)
