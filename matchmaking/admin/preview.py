"""Previews by simulation: settings as typed beside those in force, before anything is saved; and strategies compared.

Workers simulate. Pages ask, and look again until all is done: by themselves, or when they are asked to.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.audited_admin import may_see
from foundation.page_parts import is_unchanged, nothing_new, show, version_of
from matchmaking.admin.preview_chart import forecast_of
from matchmaking.models import Queue
from matchmaking.pairing.settings import STRATEGIES
from matchmaking.preview.jobs import (
    NoPreviewError,
    ask,
    ask_for_strategies,
    look,
    population_for,
)
from matchmaking.preview.recent_arrivals import FASTEST, SLOWEST
from matchmaking.preview.simulation import Population
from matchmaking.queues.rescale import misfits
from matchmaking.queues.settings import unreadable
from ratings.admin.fields import RangedFloat

__all__ = ["ASKED", "compare_strategies", "preview_of", "show_forecast"]

ASKED = "_preview"
ARRIVALS = "preview_arrivals"
TEMPLATES = "admin/matchmaking/queue/"
# Seconds after which it is strange that not one worker has answered.
_LATE = 20


def preview_of(request: HttpRequest, form: Any, queue: Queue | None) -> dict[str, Any]:
    """What the part of the form shows: how many come, and if asked for, the forecast or what stands in its way."""
    context: dict[str, Any] = _population_context(population_for(queue))
    if ASKED not in request.POST:
        return context
    typed = request.POST.get(ARRIVALS, "")
    context["arrivals"] = typed
    try:
        field = RangedFloat(label=_("Searches a second"), low=SLOWEST, high=FASTEST)
        arrivals = field.clean(typed)
    except forms.ValidationError as error:
        return {**context, "problems": list(error.messages)}
    problems = []
    for name, errors in form.errors.items():
        label = capfirst(str(form.fields[name].label)) if name in form.fields else ""
        problems += [f"{label}: {error}" if label else str(error) for error in errors]
    if problems:
        return {**context, "problems": problems}
    # What is typed, beside what is in force where there is something.
    population, asked = population_for(queue, arrivals=arrivals), dict[str, str]()
    stored = Queue.objects.filter(pk=form.instance.pk).select_related("ladder").first()
    if stored is not None:
        asked["now"] = ask(stored, population)
    asked["typed"] = ask(form.instance, population)
    return {**context, **_progress_of(asked)}


@require_safe
def show_forecast(request: HttpRequest) -> HttpResponse:
    """The part of a page that waits for simulations: what has changed since it looked last, or that nothing has."""
    asked = {name: request.GET[name] for name in _labels() if name in request.GET}
    context = _progress_of(asked)
    if is_unchanged(request, context.get("version", "")):
        return nothing_new()
    return TemplateResponse(request, TEMPLATES + "preview_result.html", context)


@require_safe
def compare_strategies(request: HttpRequest, site: admin.AdminSite, pk: int) -> HttpResponse:
    """Every strategy with the queue's other settings and those who came lately. By htmx as a part of a page.

    The first look asks, and leads to an address that says what was asked.
    """
    if not may_see(request, "matchmaking.queue"):
        raise PermissionDenied
    queue = get_object_or_404(Queue.objects.select_related("ladder"), pk=pk)
    asked = {name: request.GET[name] for name in STRATEGIES if name in request.GET}
    if not asked:
        asked = ask_for_strategies(queue, population_for(queue))
        return redirect(f"{request.path}?{urlencode(asked)}")
    found = _progress_of(asked)
    context = {
        **site.each_context(request),
        "title": _("Strategies compared: %(queue)s") % {"queue": queue},
        "opts": Queue._meta,
        "queue": queue,
        "unreadable": unreadable(queue),
        "misfits": misfits(queue),
        **found,
        **(_population_context(found["progress"].population) if "progress" in found else {}),
    }
    return show(
        request, TEMPLATES + "strategies.html", context, part=TEMPLATES + "strategies_part.html"
    )


def _labels() -> dict[str, str]:
    """Names of columns as addresses have them, in their order, and as people read them."""
    strategies = {name: _(words) for name, words in STRATEGIES.items()}
    return {"now": _("now"), "typed": _("as entered"), **strategies}


def _progress_of(asked: Mapping[str, str]) -> dict[str, Any]:
    """The forecast once all is done; until then how far it is, and where to look again."""
    try:
        progress = look(asked)
    except NoPreviewError as error:
        return {"problems": [str(error)]}
    if progress.is_done:
        labels = _labels()
        found = {labels[name]: progress.found[name] for name in asked}
        return {"progress": progress, "forecast": forecast_of(found)}
    is_late = progress.waited > _LATE and not progress.found
    version = version_of(len(progress.found), is_late)
    address = reverse("admin:matchmaking_queue_preview")
    return {
        "progress": progress,
        "is_late": is_late,
        "version": version,
        "again": f"{address}?{urlencode({**asked, 'seen': version})}",
    }


def _population_context(population: Population) -> dict[str, Any]:
    return {"arrivals": f"{population.arrivals:.3g}", "is_usual": population == Population()}
