"""The page of notices: what the account's players were told, the latest first."""

from typing import cast

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from foundation.page_parts import ask_again, is_unchanged, nothing_new, show, version_of
from notifications import reading
from notifications.preferences import remember_language
from notifications.words import said
from ratings.models import Player

__all__ = ["delete_notices", "notifications", "open_notice", "read_notices"]

_SIZE = 50


@never_cache
@login_required
@require_safe
def notifications(request: HttpRequest) -> HttpResponse:
    """The latest, or those before one of them. htmx asks again and again for the list."""
    players = _players_of(request)
    before = request.GET.get("before", "")
    notices = reading.notices_of(players)
    if before.isascii() and before.isdigit() and len(before) < 19:
        notices = notices.filter(pk__lt=int(before))
    rows = list(notices.select_related("player__game")[: _SIZE + 1])
    shown, more = rows[:_SIZE], len(rows) > _SIZE
    version = version_of([(one.pk, one.read_at) for one in shown], more)
    if is_unchanged(request, version):
        return nothing_new()
    remember_language(cast("User", request.user), get_language() or "en")
    context = {
        "notices": said(shown),
        "before": shown[-1].pk if more else None,
        "has_unread": any(one.read_at is None for one in shown),
        "has_read": any(one.read_at is not None for one in shown),
        "has_several": len(players) > 1,
        "again": ask_again(request, version),
    }
    return show(
        request, "notifications/notifications.html", context, part="notifications/_list.html"
    )


@login_required
@require_POST
def read_notices(request: HttpRequest) -> HttpResponse:
    """Mark one as read, or all."""
    reading.mark_read(_players_of(request), ids=_ids_in(request))
    return redirect("notifications")


@login_required
@require_POST
def delete_notices(request: HttpRequest) -> HttpResponse:
    """Delete one, or all that are read."""
    reading.delete(_players_of(request), ids=_ids_in(request))
    return redirect("notifications")


@login_required
@require_POST
def open_notice(request: HttpRequest, pk: int) -> HttpResponse:
    """Mark one as read, and go where it leads."""
    players = _players_of(request)
    notice = get_object_or_404(reading.notices_of(players), pk=pk)
    reading.mark_read(players, ids=[pk])
    words = said([notice])
    return redirect(words[0].address if words else "notifications")


def _players_of(request: HttpRequest) -> list[int]:
    own = Player.objects.filter(user=cast("User", request.user))
    return list(own.order_by("pk").values_list("pk", flat=True))


def _ids_in(request: HttpRequest) -> list[int] | None:
    """The one that a form names; None where it means all."""
    given = request.POST.get("notice", "")
    return [int(given)] if given.isascii() and given.isdigit() and len(given) < 19 else None
