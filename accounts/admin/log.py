"""The audit log in the admin."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from django.apps import apps
from django.contrib import admin, messages
from django.contrib.admin.options import IncorrectLookupParameters
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils.dateparse import parse_datetime
from django.utils.html import format_html
from django.utils.text import Truncator, capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.admin.log_export import export
from accounts.admin.log_filter import DatesAndPerson
from accounts.audit import now_called, page_of
from accounts.audited_admin import may_see
from accounts.models import AuditEntry
from foundation.read_only_admin import ReadOnlyAdmin
from foundation.templatetags.display import moment

# Of an entry that is shown: whether its reader may look at what it is about.
_IS_LINKED = "is_linked"


class KindFilter(admin.AllValuesFieldListFilter):
    """What entries are about, by the names that kinds of things have in the admin."""

    def choices(self, changelist: Any) -> Iterator[Any]:
        for choice in super().choices(changelist):
            yield {**choice, "display": _kind(str(choice["display"]))}


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin[AuditEntry]):
    """Who changed what, when, and why; who with rights signed in, and how often that failed."""

    change_list_template = "admin/accounts/auditentry/change_list.html"
    list_display = ["at", "who", "action", "target", "what_changed"]
    list_filter = [DatesAndPerson, "action", ("target_type", KindFilter)]
    list_select_related = ["actor"]
    search_fields = ["=target_id", "actor__username", "through", "note", "action", "after__name"]
    search_help_text = _(
        "An object's number, an account's name, words from a note, part of an action, a name that was given or "
        "changed, or, for an import, the name of its file."
    )
    sortable_by = ()
    fields = ["at", "actor", "through", "action", "target", "before", "after", "note"]
    readonly_fields = ["target"]

    def get_urls(self) -> list[URLPattern]:
        own = self.admin_site.admin_view(self.export)
        return [path("export/", own, name="accounts_auditentry_export"), *super().get_urls()]

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        """Its entries link to what whoever reads may look at."""
        changelist = super().get_changelist_instance(request)
        for entry in changelist.result_list:
            _link_for(request, entry)
        return changelist

    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> AuditEntry | None:
        """The same of a single one."""
        entry = super().get_object(request, object_id, from_field)
        if entry is not None:
            _link_for(request, entry)
        return entry

    def export(self, request: HttpRequest) -> HttpResponse:
        """What the list shows with its filters and its search, as a file."""
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        if not self.has_view_permission(request):
            raise PermissionDenied
        try:
            changelist = self.get_changelist_instance(request)
            found: QuerySet[AuditEntry] = changelist.get_queryset(request)
        except IncorrectLookupParameters:
            words = gettext("The log cannot be filtered so, and no file was made.")
            messages.error(request, words)
            return HttpResponseRedirect(reverse("admin:accounts_auditentry_changelist"))
        return export(request, found)

    @admin.display(description=_("which one"))
    def target(self, entry: AuditEntry) -> str:
        """What it is, and its number, with a link to its page where it has one."""
        name = f"{_kind(entry.target_type)} {entry.target_id}"
        address = page_of(entry) if getattr(entry, _IS_LINKED, False) else None
        if address is None:
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


def _link_for(request: HttpRequest, entry: AuditEntry) -> None:
    setattr(entry, _IS_LINKED, may_see(request, now_called(entry.target_type)))


def _kind(target_type: str) -> str:
    """How the admin calls a kind of thing: "Player" for "ratings.player"; as it stands where there is none any more."""
    app, _dot, name = now_called(target_type).partition(".")
    try:
        return capfirst(str(apps.get_model(app, name)._meta.verbose_name))
    except (LookupError, ValueError):
        return target_type


def _brief(values: dict[str, Any], name: str) -> str:
    value = values.get(name)
    if value is None:
        return "–"
    with suppress(ValueError):  # like a moment, and none: the 31st of February
        at = parse_datetime(value) if isinstance(value, str) else None
        if at is not None and at.tzinfo is not None:
            return moment(at)
    return Truncator(str(value)).chars(40)
