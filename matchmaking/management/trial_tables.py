"""Trials of `simulate_queue` as tables for a terminal, and as a chart."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from rich.table import Table

from matchmaking.management.trials import Trial
from matchmaking.preview.simulation import Report
from matchmaking.preview.svg_chart import Axis, Series, draw_lines
from ratings.management.judgement_tables import figures_table

__all__ = ["bands_table", "draw", "main_table"]


def main_table(trials: Sequence[Trial]) -> Table:
    """A row a trial."""
    table = figures_table(
        _("Run"),
        _("tickets"),
        _("no match"),
        _("wait, mean"),
        _("p50"),
        _("p95"),
        _("p99"),
        _("max"),
        _("gap, mean"),
        _("p95"),
        _("even"),
        _("cost"),
    )
    for trial in trials:
        report = trial.report
        waits, gaps = report.waits, report.gaps
        seconds = (waits.mean, waits.p50, waits.p95, waits.p99, waits.max)
        table.add_row(
            trial.name,
            f"{report.tickets:,}",
            _percent(report.share_unmatched),
            *(_figure(second) for second in seconds),
            _figure(gaps.mean),
            _figure(gaps.p95),
            _percent(report.share_even),
            _figure(report.cost),
        )
    return table


def bands_table(report: Report) -> Table:
    """A row a band of ratings."""
    table = figures_table(
        _("Ratings"),
        _("tickets"),
        _("no match"),
        _("wait, mean"),
        _("p95"),
        _("in the queue, p95"),
        _("max"),
        _("gap, mean"),
        _("p95"),
    )
    for band in report.bands:
        ratings = f"{band.low or 0.0:g}–{band.high or 0.0:g}"
        if band.low is None:
            ratings = _("below %s") % f"{band.high:g}"
        elif band.high is None:
            ratings = _("from %s") % f"{band.low:g}"
        table.add_row(
            ratings,
            f"{band.tickets:,}",
            _percent(band.share_unmatched),
            *(_figure(value) for value in (band.waits.mean, band.waits.p95)),
            *(_figure(value) for value in (band.stays.p95, band.stays.max)),
            *(_figure(value) for value in (band.gaps.mean, band.gaps.p95)),
        )
    return table


def draw(trials: Sequence[Trial], kind: str) -> str:
    """The chart of a kind: `trade`, gaps over waits, or `stays` or `gaps` by rating."""
    return _draw_trade(trials) if kind == "trade" else _draw_bands(trials, kind)


def _draw_trade(trials: Sequence[Trial]) -> str:
    """A line for each way of finding matches, a point for each number of arrivals that found any."""
    by_way: dict[str, list[Trial]] = {}
    for trial in trials:
        by_way.setdefault(trial.way, []).append(trial)
    lines = []
    for way, members in by_way.items():
        found = [trial for trial in members if trial.report.matches]
        reports = [trial.report for trial in found]
        points = [(report.waits.mean or 0.0, report.gaps.mean or 0.0) for report in reports]
        lines.append(Series(way, points, [f"{trial.population.arrivals:g}/s" for trial in found]))
    sentences = (
        _("%(run)s: %(gap)s points after %(wait)s s")
        % {
            "run": trial.name,
            "gap": _figure(trial.report.gaps.mean),
            "wait": _figure(trial.report.waits.mean),
        }
        for trial in trials
    )
    return draw_lines(
        _("Mean gap of the matches over the mean wait for them"),
        "; ".join(sentences) + ".",
        Axis(_("mean wait, seconds"), is_logarithmic=True),
        Axis(_("mean gap, rating points")),
        lines,
    )


def _draw_bands(trials: Sequence[Trial], kind: str) -> str:
    """A line for each trial, with the figure of each band that has any at its middle."""
    is_stay = kind == "stays"
    title = (
        _("How long 95 of 100 tickets stay at most, by rating")
        if is_stay
        else _("Mean gap of the matches, by rating")
    )
    lines = []
    for trial in trials:
        bands, points = trial.report.bands, []
        width = (bands[2].low or 0.0) - (bands[1].low or 0.0)  # open bands are as wide
        for band in bands:
            value = band.stays.p95 if is_stay else band.gaps.mean
            if value is not None:
                low = (band.high or 0.0) - width if band.low is None else band.low
                high = low + width if band.high is None else band.high
                points.append(((low + high) / 2, value))
        lines.append(Series(trial.name, points))
    sentences = (
        _("%(run)s: from %(least)s to %(most)s")
        % {
            "run": line.name,
            "least": _figure(min(value for _rating, value in line.points)),
            "most": _figure(max(value for _rating, value in line.points)),
        }
        for line in lines
        if line.points
    )
    return draw_lines(
        title,
        "; ".join(sentences) + ".",
        Axis(_("rating"), begins_at_zero=False),
        Axis(_("seconds"), is_logarithmic=True) if is_stay else Axis(_("rating points")),
        lines,
    )


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f} %"
