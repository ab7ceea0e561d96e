"""What simulations have previewed, as one table and one chart."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from foundation.axes import even_ticks
from foundation.templatetags.display import percent
from matchmaking.preview.simulation import Report
from matchmaking.preview.simulation.preview import Preview
from matchmaking.templatetags.play import rounded

__all__ = ["forecast_of"]

# The curve ends where nearly all of the slowest settings have found a match.
_SHOWN = 0.95
_TICKS = 4
# Looks of the lines, by how many there are: 0 is quiet, for what is in force or only a yardstick.
_LOOKS = {1: [1], 2: [0, 1], 3: [1, 2, 0]}


@dataclass(frozen=True, slots=True)
class ChartCurve:
    """A curve of the chart. `points`: "x,y x,y …" in per cent of the plot, y downwards; `look`: see the style sheet."""

    label: str
    points: str
    look: int


@dataclass(frozen=True, slots=True)
class Forecast:
    """Settings beside each other.

    labels  of the columns
    rows    what, and a text for each column
    lines   share of the searches that have found a match, over the seconds of waiting
    ticks   seconds below the chart, evenly spread over its width
    is_cut  whether the machine was too slow to watch all columns for as long

    Columns that were watched for different times are not compared: rows and lines say how long only, `is_unequal`.
    """

    labels: list[str]
    rows: list[tuple[str, list[str]]]
    lines: list[ChartCurve]
    ticks: list[str]
    is_cut: bool
    is_unequal: bool = False


def forecast_of(previewed: Mapping[str, Preview]) -> Forecast:
    """Lay out what came of each, by the names of the columns."""
    minutes = [number_format(round(one.seconds / 60, 1), 1) for one in previewed.values()]
    watched = (_("Simulated time"), [_("%(number)s min") % {"number": one} for one in minutes])
    if len({round(one.seconds, 3) for one in previewed.values()}) > 1:
        # Two searches beside forty: whatever the figures say, it is about who was watched for longer.
        searches = [rounded(one.report.tickets) for one in previewed.values()]
        rows = [(_("Searches"), searches), watched]
        return Forecast([*previewed], rows, [], [], is_cut=True, is_unequal=True)
    reports = [one.report for one in previewed.values()]
    figures: list[tuple[str, Callable[[Report], str]]] = [
        (_("Searches"), lambda report: rounded(report.tickets)),
        (_("Without a match"), lambda report: percent(report.share_unmatched)),
        (_("Mean wait"), lambda report: _seconds(report.waits.mean)),
        (_("Half within"), lambda report: _seconds(report.waits.p50)),
        (_("95 of 100 within"), lambda report: _seconds(report.waits.p95)),
        (_("99 of 100 within"), lambda report: _seconds(report.waits.p99)),
        (_("Longest wait"), lambda report: _seconds(report.waits.max)),
        (_("Mean gap"), lambda report: rounded(report.gaps.mean)),
        (_("95 of 100 gaps within"), lambda report: rounded(report.gaps.p95)),
        (_("Expected score, distance from one half"), lambda report: percent(report.off_even)),
        (_("Even matches"), lambda report: percent(report.share_even)),
    ]
    rows = [(label, [say(report) for report in reports]) for label, say in figures]
    rows.append(watched)
    # Seconds after which nearly all who found a match had found it.
    curves = [report.within for report in reports]
    longest = 1.0
    for curve in filter(None, curves):
        most = curve[-1][1]
        longest = max(longest, next(wait for wait, share in curve if share >= _SHOWN * most))
    lines = []
    for look, label, curve in zip(_LOOKS[len(previewed)], previewed, curves, strict=True):
        if not curve:
            continue
        shown = [(0.0, 0.0)] + [(wait, share) for wait, share in curve if wait <= longest]
        if shown[-1][0] < longest:
            shown.append((longest, max(share for _wait, share in shown)))
        points = [f"{100 * (wait / longest):.2f},{100 * (1 - share):.2f}" for wait, share in shown]
        lines.append(ChartCurve(label, " ".join(points), look))
    decimals = 0 if longest > 20 else 1
    seconds = [round(tick, decimals) for tick in even_ticks(longest, _TICKS)]
    ticks = [number_format(second, decimals) for second in seconds]
    is_cut = any(one.is_cut for one in previewed.values())
    return Forecast([*previewed], rows, lines, ticks, is_cut)


def _seconds(value: float | None) -> str:
    if value is None:
        return "–"
    decimals = 1 if value < 100 else 0
    return _("%(number)s s") % {"number": number_format(round(value, decimals), decimals)}
