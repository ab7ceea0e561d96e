"""Trials of `simulate_queue` as tables for a terminal, and as a chart."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _
from rich.table import Table

from matchmaking.management.trials import Trial
from matchmaking.preview.simulation import Band, Report
from matchmaking.preview.simulation.chart import Axis, Line, draw_lines

__all__ = ["bands_table", "draw", "main_table"]


def main_table(trials: Sequence[Trial]) -> Table:
    """A row a trial."""
    table = _table(
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
    table = _table(
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
        table.add_row(
            _range(band),
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
    lines: dict[str, list[Trial]] = {}
    for trial in trials:
        lines.setdefault(trial.way, []).append(trial)
    told = (
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
        "; ".join(told) + ".",
        Axis(_("mean wait, seconds"), is_logarithmic=True),
        Axis(_("mean gap, rating points")),
        [_trade_line(name, members) for name, members in lines.items()],
    )


def _trade_line(name: str, trials: Sequence[Trial]) -> Line:
    found = [trial for trial in trials if trial.report.matches]
    points = [(trial.report.waits.mean or 0.0, trial.report.gaps.mean or 0.0) for trial in found]
    return Line(name, points, [f"{trial.crowd.arrivals:g}/s" for trial in found])


def _draw_bands(trials: Sequence[Trial], kind: str) -> str:
    is_stay = kind == "stays"
    title = (
        _("How long 95 of 100 tickets stay at most, by rating")
        if is_stay
        else _("Mean gap of the matches, by rating")
    )
    lines = [Line(trial.name, [*_by_rating(trial.report, is_stay)]) for trial in trials]
    told = (
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
        "; ".join(told) + ".",
        Axis(_("rating"), begins_at_zero=False),
        Axis(_("seconds"), is_logarithmic=True) if is_stay else Axis(_("rating points")),
        lines,
    )


def _by_rating(report: Report, is_stay: bool) -> Iterator[tuple[float, float]]:
    """The figure of each band that has any, at its middle; open bands are as wide as their neighbours."""
    bands = report.bands
    width = (bands[2].low or 0.0) - (bands[1].low or 0.0)
    for band in bands:
        value = band.stays.p95 if is_stay else band.gaps.mean
        if value is not None:
            low = (band.high or 0.0) - width if band.low is None else band.low
            high = low + width if band.high is None else band.high
            yield (low + high) / 2, value


def _table(first: str, *labels: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column(first, style="bold")
    for label in labels:
        table.add_column(label, justify="right")
    return table


def _range(band: Band) -> str:
    if band.low is None:
        return _("below %s") % f"{band.high:g}"
    if band.high is None:
        return _("from %s") % f"{band.low:g}"
    return f"{band.low:g}–{band.high:g}"


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f} %"
