"""What a server has told of a match, to look at."""

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from accounts.audited_admin import may_see
from ratings.models import LogEvent, LogGap, LogStretch, MatchLog

__all__ = ["show_log"]

SIZE = 200
_MOST_PARTS = 500


def show_log(request: HttpRequest, site: admin.AdminSite, pk: int) -> HttpResponse:
    """The events of a match by number, `after` one of them, with gaps and where they stand in the ladder's sequence."""
    if not may_see(request, "ratings.match"):
        raise PermissionDenied
    logs = MatchLog.objects.select_related("match__ladder__game", "server")
    log = get_object_or_404(logs, pk=pk)
    after = _number(request.GET.get("after", ""))
    found = LogEvent.objects.filter(log=log, number__gt=after).order_by("number")
    events = list(found.select_related("player", "victim")[: SIZE + 1])
    has_more = len(events) > SIZE
    context = {
        **site.each_context(request),
        "title": _("Log of match %(number)d") % {"number": pk},
        "opts": log.match._meta,
        "original": log.match,
        "log": log,
        "events": events[:SIZE],
        "next": events[SIZE - 1].number if has_more else None,
        "is_first": after == 0,
        "gaps": list(LogGap.objects.filter(log=log)[:_MOST_PARTS]),
        "stretches": list(LogStretch.objects.filter(log=log).order_by("seq")[:_MOST_PARTS]),
        "sees_player": may_see(request, "ratings.player"),
    }
    return TemplateResponse(request, "admin/ratings/match/log.html", context)


def _number(text: str) -> int:
    if not text:
        return 0
    if not (text.isascii() and text.isdigit() and len(text) <= 10):
        raise Http404
    return int(text)
