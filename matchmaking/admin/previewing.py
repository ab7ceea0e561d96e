"""The preview of a queue's form: the settings as typed beside those in force, simulated before anything is saved."""

from contextlib import suppress
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from foundation.parts import show, wants_part
from matchmaking.admin.forecast import Forecast, forecast_of
from matchmaking.chosen import unreadable
from matchmaking.foresight import (
    FASTEST,
    SLOWEST,
    Foreseen,
    crowd_for,
    foresee,
    foresee_strategies,
)
from matchmaking.models import Queue
from matchmaking.simulation import Crowd
from ratings.admin.fields import RangedFloat
from ratings.systems.parameters import ParameterError

__all__ = ["ASKED", "compare_strategies", "preview_of"]

ASKED = "_preview"
ARRIVALS = "preview_arrivals"


def preview_of(request: HttpRequest, form: Any, queue: Queue | None) -> dict[str, Any]:
    """What the part of the form shows: how many come, and if asked for, the forecast or what stands in its way."""
    crowd = crowd_for(queue)
    context: dict[str, Any] = {"arrivals": f"{crowd.arrivals:.3g}", "is_usual": crowd == Crowd()}
    if ASKED not in request.POST:
        return context
    typed = request.POST.get(ARRIVALS, "")
    context["arrivals"] = typed
    try:
        arrivals = _arrivals_field().clean(typed)
    except forms.ValidationError as error:
        return {**context, "problems": list(error.messages)}
    if form.errors:
        return {**context, "problems": _problems(form)}
    return {**context, "forecast": _forecast(form.instance, crowd_for(queue, arrivals=arrivals))}


def compare_strategies(request: HttpRequest, site: admin.AdminSite, pk: int) -> HttpResponse:
    """Every strategy with the queue's other settings and those who came lately. By htmx as a part of a page."""
    if not request.user.has_perm("matchmaking.view_queue") and not request.user.has_perm(
        "matchmaking.change_queue"
    ):
        raise PermissionDenied
    queue = get_object_or_404(Queue.objects.select_related("ladder"), pk=pk)
    is_asked = wants_part(request) or "now" in request.GET
    crowd = crowd_for(queue)
    context = {
        **site.each_context(request),
        "title": _("Strategies compared: %(queue)s") % {"queue": queue},
        "opts": Queue._meta,
        "queue": queue,
        "arrivals": f"{crowd.arrivals:.3g}",
        "is_usual": crowd == Crowd(),
        "unreadable": unreadable(queue),
        **({"forecast": forecast_of(foresee_strategies(queue, crowd))} if is_asked else {}),
    }
    templates = "admin/matchmaking/queue/"
    return show(
        request, templates + "strategies.html", context, part=templates + "strategies_part.html"
    )


def _arrivals_field() -> forms.Field:
    return RangedFloat(label=_("Searches a second"), low=SLOWEST, high=FASTEST)


def _problems(form: Any) -> list[str]:
    """What is wrong in the form, each with the name of its field."""
    found = []
    for name, errors in form.errors.items():
        label = capfirst(str(form.fields[name].label)) if name in form.fields else ""
        found += [f"{label}: {error}" if label else str(error) for error in errors]
    return found


def _forecast(proposed: Queue, crowd: Crowd) -> Forecast:
    """What is typed, beside what is in force where there is something."""
    stored = Queue.objects.filter(pk=proposed.pk).select_related("ladder").first()
    columns: list[Foreseen] = []
    if stored is not None:
        with suppress(ParameterError):  # what is stored may not fit this version
            columns.append(foresee(stored, crowd, label=_("now")))
    return forecast_of([*columns, foresee(proposed, crowd, label=_("as typed"))])
