"""Adding a track to a ladder: choose the system, then its period and parameters."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.audited_admin import actor_of
from ratings import systems
from ratings.admin.fields import RangedFloat
from ratings.admin.parameter_form import ParameterForm, tidy
from ratings.archiving import ArchivedError
from ratings.models import Facet, Ladder, RatingTrack
from ratings.systems import ParameterError
from ratings.tracks.facet_values import is_first_of_its_kind
from ratings.tracks.parameters import create_track, fitting, tunable, warnings_of
from ratings.wording import system_name

__all__ = ["add_track"]

SHORTEST, LONGEST, USUAL = 1 / 86_400, 36_525.0, 30.0


class _OptionalRangedFloat(RangedFloat):
    """May stay empty: each match is rated at once."""

    def clean(self, value: Any) -> Any:
        return None if value in self.empty_values else super().clean(value)


class TrackForm(ParameterForm):
    """Period and parameters of a new track; its history begins with its first version, so there is no note."""

    def __init__(self, *args: Any, system: str, **kwargs: Any) -> None:
        super().__init__(*args, system=system, **kwargs)
        del self.fields["note"]
        by_period = systems.create(system).is_period
        self.fields["period_days"] = (RangedFloat if by_period else _OptionalRangedFloat)(
            label=_("Days in a rating period"),
            help_text=_("From 1/86,400 (a second) to 36,525.")
            if by_period
            else _("From 1/86,400 (a second) to 36,525. Empty: each match is rated at once."),
            low=SHORTEST,
            high=LONGEST,
            required=by_period,
            initial=USUAL if by_period else None,
        )
        self.fields["facet"] = forms.ChoiceField(
            label=_("Rated apart"),
            help_text=_(
                "With maps or characters, a player has a rating of its own for each of them, and their mean beside"
                " the rating of the ladder. Players see the first such track."
            ),
            choices=Facet.choices,
            required=False,
        )


def add_track(request: HttpRequest, site: admin.AdminSite, pk: int) -> HttpResponse:
    """Let the person choose a system (no `system` given), fill in the form, and add the track (POST)."""
    if not actor_of(request).has_perm("ratings.add_ratingtrack"):
        raise PermissionDenied
    ladder = get_object_or_404(Ladder.objects.select_related("game"), pk=pk)
    if ladder.is_archived:
        messages.error(request, str(ArchivedError(ladder)))
        return HttpResponseRedirect(reverse("admin:ratings_ladder_change", args=[pk]))
    system = request.GET.get("system", "")
    if system not in fitting(ladder):
        return _show(request, site, ladder, system="", form=None)
    if request.method != "POST":
        defaults = tidy({p.name: p.default for p in tunable(system)})
        return _show(request, site, ladder, system, TrackForm(system=system, initial=defaults))
    form = TrackForm(request.POST, system=system)
    if not form.is_valid():
        return _show(request, site, ladder, system, form)
    try:
        track = create_track(
            ladder=ladder,
            system=system,
            parameters=form.values,
            period_days=form.cleaned_data["period_days"],
            shown=is_first_of_its_kind(ladder, form.cleaned_data["facet"]),
            facet=form.cleaned_data["facet"],
            actor=actor_of(request),
        )
    except ParameterError as error:
        form.blame(error)
        return _show(request, site, ladder, system, form)
    messages.success(request, _("%(track)s was added. It now catches up.") % {"track": track})
    for warning in warnings_of(track):
        messages.warning(request, warning)
    return HttpResponseRedirect(reverse("admin:ratings_ratingtrack_change", args=[track.pk]))


def _show(
    request: HttpRequest,
    site: admin.AdminSite,
    ladder: Ladder,
    system: str,
    form: TrackForm | None,
) -> HttpResponse:
    context = {
        **site.each_context(request),
        "title": _("Add a rating track to %(ladder)s") % {"ladder": ladder},
        "opts": RatingTrack._meta,
        "ladder": ladder,
        "form": form,
        "system": system_name(system) if system else "",
        "systems": [(name, system_name(name)) for name in fitting(ladder)],
        "is_first": is_first_of_its_kind(ladder, Facet.NONE),
    }
    return TemplateResponse(request, "admin/ratings/ratingtrack/add_track.html", context)
