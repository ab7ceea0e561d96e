"""The audit log as a file for spreadsheets."""

import csv
import io
import json
import re
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts import audit
from accounts.audited_admin import actor_of
from accounts.models import AuditEntry

__all__ = ["export", "harmless"]

MOST = 50_000  # rows: more would not be written within the minute that a page of the admin has
_COLUMNS = ["number", "at", "who", "through", "action", "type", "id", "before", "after", "note"]
_FORMULA = "=+\\-@|\uff1d\uff0b\uff0d\uff20"  # what begins one, as it stands in a pattern; the last four are wide ones
_BEGINS = re.compile(rf"^(?=\s|[{_FORMULA}])")
# Spreadsheets of many countries part cells at semicolons and then know no quotes.
_BEGINS_WITHIN = re.compile(rf"([;\t\r\n]\s*)(?=[{_FORMULA}])")


def export(request: HttpRequest, found: QuerySet[AuditEntry]) -> HttpResponse:
    """`found` as CSV; the log says who took it, which part, and how many rows. May tell to choose fewer."""
    rows = found.order_by("pk").values_list(
        "pk",
        "at",
        "actor__username",
        "through",
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
    """A cell that no spreadsheet takes for a formula, nor a part of it: what would begin one is text after an
    apostrophe.
    """
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return _BEGINS_WITHIN.sub(r"\1'", _BEGINS.sub("'", text))
