"""Waits and quality: how a queue has done, by strategy, with its latest matches; and all queues beside each other."""

from dataclasses import dataclass
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.audited_admin import actor_of, may_see
from matchmaking.admin.offer_record import strategy_in_words
from matchmaking.models import Offer, Queue
from matchmaking.queues.latest_matches import latest_matches
from matchmaking.queues.quality import SPANS, Quality, QueueQuality, qualities
from matchmaking.queues.queue_stats import waiting_in
from matchmaking.queues.wait_estimates import estimate

__all__ = ["compare_queues", "show_quality", "waiting_and_offers"]

TEMPLATES = "admin/matchmaking/queue/"
USUAL = "day"
MATCHES, QUEUES, WAITING, OFFERS = 20, 200, 20, 10


def waiting_and_offers(request: HttpRequest, queue: Queue) -> dict[str, Any]:
    """What `waiting_and_offers.html` shows: who waits, the latest offers, and how long searches take lately.

    No offers in normal mode for whoever may not view matches: their gaps are of ratings that are hidden.
    """
    shows_offers = queue.ladder.shows_ratings_to(actor_of(request))
    count, waiting = waiting_in(queue, at_most=WAITING)
    offers = Offer.objects.filter(queue=queue).order_by("-created_at", "-pk")[:OFFERS]
    return {
        "original": queue,
        "waiting_count": count,
        "waiting": waiting,
        "shows_offers": shows_offers,
        "offers": list(offers) if shows_offers else [],
        "estimate": estimate(queue.pk),
    }


@dataclass(frozen=True, slots=True)
class QualityRow:
    """A line of the table: what it is about, its page or "", its figures; `is_part`: of the line above."""

    label: str
    address: str
    quality: Quality
    is_part: bool


@require_safe
def show_quality(request: HttpRequest, site: admin.AdminSite, pk: int) -> HttpResponse:
    """The page of one queue. Matches of normal mode, and what they did to ratings, are for whoever may view matches."""
    _require(request)
    queue = get_object_or_404(Queue.objects.select_related("ladder"), pk=pk)
    span, lately = _span(request), waiting_and_offers(request, queue)
    found = qualities([pk], span=span).get(pk)
    context = {
        **_shared(request, site, span),
        "title": _("Waits and quality: %(queue)s") % {"queue": queue},
        "queue": queue,
        "rows": _rows(_("All matches"), "", found) if found else [],
        "step": found.step if found else 1,
        "is_cut": found is not None and found.is_cut,
        "matches": latest_matches(queue, at_most=MATCHES) if lately["shows_offers"] else [],
        **lately,
    }
    return TemplateResponse(request, TEMPLATES + "quality.html", context)


@require_safe
def compare_queues(request: HttpRequest, site: admin.AdminSite) -> HttpResponse:
    """All queues on one page."""
    _require(request)
    span = _span(request)
    queues = {queue.pk: queue for queue in Queue.objects.order_by("ladder", "name", "pk")[:QUEUES]}
    found = qualities(queues, span=span)
    rows = [
        row
        for pk, queue in queues.items()
        if pk in found
        for row in _rows(
            str(queue), reverse("admin:matchmaking_queue_quality", args=[pk]), found[pk]
        )
    ]
    context = {
        **_shared(request, site, span),
        "title": _("Waits and quality of all queues"),
        "rows": rows,
        "step": max((one.step for one in found.values()), default=1),
        "is_cut": any(one.is_cut for one in found.values()),
        "silent": [queue for pk, queue in queues.items() if pk not in found],
    }
    return TemplateResponse(request, TEMPLATES + "qualities.html", context)


def _require(request: HttpRequest) -> None:
    """Refuse accounts that may not look at queues and at offers."""
    if not (may_see(request, "matchmaking.queue") and may_see(request, "matchmaking.offer")):
        raise PermissionDenied


def _shared(request: HttpRequest, site: admin.AdminSite, span: str) -> dict[str, Any]:
    words = {"hour": _("the last hour"), "day": _("the last day"), "week": _("the last week")}
    return {
        **site.each_context(request),
        "opts": Queue._meta,
        "spans": [(name, words[name], name == span) for name in SPANS],
    }


def _span(request: HttpRequest) -> str:
    """The one that is asked for; the usual one where none, or none of ours, is given."""
    asked = request.GET.get("last", "")
    return asked if asked in SPANS else USUAL


def _rows(label: str, address: str, found: QueueQuality) -> list[QualityRow]:
    """The whole, then each strategy; a strategy alone needs no line beside the whole, so it is named there."""
    parts = [
        QualityRow(strategy_in_words(one.strategy), "", one, True) for one in found.by_strategy
    ]
    if len(parts) == 1:
        return [QualityRow(f"{label} · {parts[0].label}", address, found.total, False)]
    return [QualityRow(label, address, found.total, False), *parts]
