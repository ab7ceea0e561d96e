"""The audit log in the admin."""

from typing import Any

from django.contrib import admin
from django.utils.html import format_html
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _

from accounts.models import AuditEntry
from foundation.read_only_admin import ReadOnlyAdmin


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin[AuditEntry]):
    """Who changed what, when, and why."""

    list_display = ["at", "actor", "action", "target_id", "what_changed"]
    list_filter = ["action", "target_type"]
    list_select_related = ["actor"]
    search_fields = ["=target_id", "actor__username", "note"]
    search_help_text = _("An object's number, an account's name, or words from a note.")
    sortable_by = ()

    @admin.display(description=_("why and what"))
    def what_changed(self, entry: AuditEntry) -> str:
        """The note, then the first few fields, before and after; the entry's own page has all of them.

        In one column, and the kind of object in the action's name: so a usual screen shows the reason.
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
