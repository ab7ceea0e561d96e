"""Which entries of the audit log: from one day to another, and by or about one person."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time
from typing import Any

from django.contrib import admin, messages
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.dateparse import parse_date
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.entrance.backend import find_account

__all__ = ["DatesAndPerson"]


class DatesAndPerson(admin.ListFilter):
    """Three fields of a form; days are days of UTC, the last one included."""

    title = _("dates and person")
    template = "admin/accounts/auditentry/dates_and_person.html"
    names = ("since", "until", "person")

    def __init__(self, request: HttpRequest, params: Any, model: Any, model_admin: Any) -> None:
        super().__init__(request, params, model, model_admin)
        self.values = {}
        for name in self.names:
            given = params.pop(name, [""])
            text = given[-1] if isinstance(given, list) else given
            self.values[name] = text.replace("\0", "").strip()[:200]
        self.days = {name: _day(request, self.values[name]) for name in ("since", "until")}

    def expected_parameters(self) -> list[str | None]:
        return list(self.names)

    def has_output(self) -> bool:
        return True

    def choices(self, changelist: Any) -> Iterator[Any]:
        """One, for the template: what is typed, and what else holds."""
        others = {
            name: value[-1] if isinstance(value, list) else value
            for name, value in changelist.params.items()
            if name not in {*self.names, "p"}
        }
        yield {
            **self.values,
            "others": others,
            "query_string": "",
            "selected": False,
            "display": "",
        }

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        since, until = self.days["since"], self.days["until"]
        if since is not None and until is not None and since > until:
            words = gettext("The days are reversed: %(since)s is after %(until)s.")
            messages.warning(request, words % {"since": since, "until": until})
        if since is not None:
            queryset = queryset.filter(at__gte=datetime.combine(since, time.min, tzinfo=UTC))
        if until is not None:
            queryset = queryset.filter(at__lte=datetime.combine(until, time.max, tzinfo=UTC))
        if not (name := self.values["person"]):
            return queryset
        account = find_account(name)
        if account is None:
            words = gettext("No account has the name or the confirmed address “%(name)s”.")
            messages.warning(request, words % {"name": name})
            return queryset.none()
        about = Q(target_type="accounts.user", target_id=str(account.pk))
        return queryset.filter(about | Q(actor=account))


def _day(request: HttpRequest, text: str) -> date | None:
    try:
        day = parse_date(text)
    except ValueError:
        day = None
    if day is None and text:
        words = gettext("“%(text)s” is no day such as 2026-03-31, so it was left out.")
        messages.warning(request, words % {"text": text})
    return day
