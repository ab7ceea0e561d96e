"""The audit log as a file for spreadsheets."""

import csv
import io
import json
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts import audit
from accounts.audited_admin import actor_of
from accounts.models import AuditEntry

__all__ = ["export", "harmless"]

MOST = 50_000  # rows: more would not be written within the minute that a page of the admin has
_COLUMNS = ["number", "at", "who", "action", "type", "id", "before", "after", "note"]


def export(request: HttpRequest, found: QuerySet[AuditEntry], *, may: bool) -> HttpResponse:
    """`found` as CSV; the log says who took it, which part, and how many rows. May tell to choose fewer."""
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    if not may:
        raise PermissionDenied
    rows = found.order_by("pk").values_list(
        "pk",
        "at",
        "actor__username",
        "action",
        "target_type",
        "target_id",
        "before",
        "after",
        "note",
    )
    with transaction.atomic():
        if len(taken := list(rows[: MOST + 1])) > MOST:
            words = _("More than %(most)d entries are in the list. Choose fewer, by their dates.")
            messages.error(request, words % {"most": MOST})
            back = reverse("admin:accounts_auditentry_changelist")
            return HttpResponseRedirect(f"{back}?{request.GET.urlencode()}")
        audit.record(
            actor=actor_of(request),
            action="auditlog.exported",
            target=actor_of(request),
            after={"rows": len(taken), "filter": request.GET.dict()},
        )
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(_COLUMNS)
    for number, at, *others in taken:
        writer.writerow([number, at.isoformat(), *map(harmless, others)])
    answer = HttpResponse(text.getvalue(), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = 'attachment; filename="audit-log.csv"'
    return answer


def harmless(value: Any) -> str:
    """A cell that no spreadsheet takes for a formula: what would begin one is text after an apostrophe."""
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    begins_formula = text.lstrip().startswith(("=", "+", "-", "@", "|")) or text[:1].isspace()
    return f"'{text}" if begins_formula else text
