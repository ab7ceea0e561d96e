"""The page that compares the live tracks of a ladder, the shown one and those in the shadow.

Calibration is drawn as a chart by admin/ratings/ladder/calibration.html. Its coordinates are per cent of the plot, y
downwards, written with a decimal point in every language.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.defaultfilters import floatformat
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.audited_admin import actor_of
from foundation.page_parts import show, wants_part
from ratings.admin.compare_rows import Judged, rows_of
from ratings.evaluation import Bin
from ratings.models import Ladder, RatingTrack
from ratings.systems import declaration_of
from ratings.tracks.comparison import SHARES, Comparison, compare, find_comparison, live_tracks
from ratings.tracks.promotion import can_be_requested
from ratings.wording import span_in_words, track_name

__all__ = ["compare_tracks", "may_compare"]

USUAL_SHARE = 0.5
_SMALLEST, _LARGEST = 1.2, 3.6


@dataclass(frozen=True, slots=True)
class Dot:
    """One bin: its middle, its size by the number of matches, and where chance alone would leave it."""

    x: str
    y: str
    radius: str
    low: str
    high: str
    bin: Bin


@dataclass(frozen=True, slots=True)
class CalibrationChart:
    """What the partial draws. `line` joins the dots."""

    title: str
    description: str
    line: str
    dots: list[Dot]


@dataclass(frozen=True, slots=True)
class Column:
    """One track on the page: the head of its column, and its chart."""

    track: RatingTrack
    name: str
    kind: str
    period: str
    chart: CalibrationChart


def may_compare(request: HttpRequest) -> bool:
    """Whoever may look at rating tracks may compare them."""
    person = actor_of(request)
    return any(person.has_perm(f"ratings.{verb}_ratingtrack") for verb in ("view", "change"))


def compare_tracks(request: HttpRequest, site: admin.AdminSite, pk: int) -> HttpResponse:
    """Show the figures if they are known, or asked for (by htmx, or with `now`); else a page that asks for them."""
    if not may_compare(request):
        raise PermissionDenied
    ladder = get_object_or_404(Ladder.objects.select_related("game"), pk=pk)
    tracks = live_tracks(ladder)
    try:
        share = float(request.GET.get("from", ""))
    except ValueError:
        share = USUAL_SHARE
    if share not in SHARES:
        share = USUAL_SHARE
    share_names = {
        0.0: _("all matches"),
        0.25: _("the last three quarters"),
        0.5: _("the second half"),
        0.75: _("the last quarter"),
    }
    asked = wants_part(request) or "now" in request.GET
    found = compare(tracks, share) if asked else find_comparison(tracks, share)
    may_show = actor_of(request).has_perm("ratings.change_ratingtrack")
    can_show = [track for track in tracks if may_show and can_be_requested(track)]
    context = {
        **site.each_context(request),
        "title": _("Compare the tracks of %(ladder)s") % {"ladder": ladder},
        "opts": RatingTrack._meta,
        "ladder": ladder,
        "tracks": tracks,
        "offered": [(track, _name(track, tracks)) for track in can_show],
        "rated": max((track.rated_seq for track in tracks), default=0),
        "address": f"{request.path}?from={share}",
        "shares": [(one, share_names[one], one == share) for one in SHARES],
        **(_figures_context(tracks, found) if found else {}),
    }
    template = "admin/ratings/ladder/compare.html"
    return show(request, template, context, part="admin/ratings/ladder/compared.html")


def _figures_context(tracks: Sequence[RatingTrack], found: Comparison) -> dict[str, Any]:
    figures = {one.track_id: one for one in found.figures}
    judged = [
        Judged(track, _name(track, tracks), figures[track.pk])
        for track in tracks
        if track.pk in figures
    ]
    columns = []
    for one in judged:
        days, kind = one.track.period_days, _("shown") if one.track.shown else _("shadow")
        span = {"span": "" if days is None else span_in_words(days)}
        columns.append(
            Column(
                track=one.track,
                name=one.name,
                kind=_("shown next") if one.track.shown_next else kind,
                period="" if days is None else _("period: %(span)s") % span,
                chart=draw_calibration(one.name, one.figures.report.calibration),
            )
        )
    notes = dict.fromkeys(declaration_of(one.track.system).comparison_note for one in judged)
    return {
        "comparison": found,
        "columns": columns,
        "rows": rows_of(judged),
        "notes": [_(note) for note in notes if note],
        "waiting": len(tracks) - len(judged),
    }


def _name(track: RatingTrack, tracks: Sequence[RatingTrack]) -> str:
    """The system; with what tells the track from others of the same system."""
    is_alone = sum(one.system == track.system for one in tracks) == 1
    return track_name(track) if is_alone else f"{track_name(track)} #{track.pk}"


def draw_calibration(name: str, bins: Sequence[Bin]) -> CalibrationChart:
    """Draw at least one bin; `name` says of which track."""
    most, dots = max(one.count for one in bins), []
    for one in bins:
        p = one.mean_predicted
        # Nineteen times in twenty a bin of a calibrated system lies within two standard errors of the diagonal.
        error = 2 * sqrt(p * (1 - p) / one.count)
        dots.append(
            Dot(
                x=_number(100 * p),
                y=_number(100 - 100 * one.mean_actual),
                radius=_number(_SMALLEST + (_LARGEST - _SMALLEST) * sqrt(one.count / most)),
                low=_number(min(100 - 100 * (p - error), 100)),
                high=_number(max(100 - 100 * (p + error), 0)),
                bin=one,
            )
        )
    worst = max(bins, key=lambda one: abs(one.mean_actual - one.mean_predicted))
    description = ngettext(
        "%(count)d group of matches. Predicted %(predicted)s, reached %(actual)s.",
        "%(count)d groups of matches. Farthest apart: predicted %(predicted)s, reached %(actual)s.",
        len(bins),
    )
    words = {
        "count": len(bins),
        "predicted": floatformat(worst.mean_predicted, 2),
        "actual": floatformat(worst.mean_actual, 2),
    }
    return CalibrationChart(
        title=_("Calibration of %(track)s") % {"track": name},
        description=description % words,
        line=" ".join(f"{dot.x},{dot.y}" for dot in dots),
        dots=dots,
    )


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
