"""How well games were predicted, as tables for a terminal and as records for programs."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from django.utils.translation import gettext as _
from rich.console import Console
from rich.table import Table

from ratings.evaluation import GamePredictions, Report

__all__ = [
    "calibration_table",
    "console_on",
    "facts_table",
    "figures_of",
    "figures_table",
    "judgement",
    "shown",
]


def console_on(stream: Any) -> Console:
    """A console that writes plain lines of any length to the output of a command."""
    return Console(file=stream, highlight=False, soft_wrap=True)


def shown(value: float | None) -> str:
    """A figure with four decimals, or a dash where there is none."""
    return "–" if value is None else f"{value:.4f}"


def judgement(predictions: GamePredictions) -> dict[str, Any]:
    """The figures by name: of games, or of pairs of teams, where accuracy is `pair_accuracy`."""
    record = asdict(predictions.report())
    if predictions.in_pairs:
        record["pairs"], record["games"] = record["games"], predictions.games
        record["pair_accuracy"] = record.pop("accuracy")
    return record


def figures_of(predictions: GamePredictions, report: Report) -> Iterable[tuple[str, str]]:
    """The figures with their labels, for `facts_table`."""
    yield _("Games judged"), f"{predictions.games:,}"
    if predictions.in_pairs:
        yield _("Pairs of teams"), f"{report.games:,}"
    yield _("Draws"), f"{report.draws:,}"
    yield _("Log loss"), shown(report.log_loss)
    yield _("Brier score"), shown(report.brier)
    yield (_("Pair accuracy") if predictions.in_pairs else _("Accuracy")), shown(report.accuracy)


def facts_table(facts: Iterable[tuple[str, str]]) -> Table:
    """Names on the left, values on the right."""
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(style="bold")
    table.add_column(justify="right")
    for label, value in facts:
        table.add_row(label, value)
    return table


def figures_table(first: str, *labels: str) -> Table:
    """An empty table: names in the first column, figures in the others."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column(first, style="bold")
    for label in labels:
        table.add_column(label, justify="right")
    return table


def calibration_table(report: Report) -> Table:
    """What was predicted against what came, by tenths."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    for label in (_("Predicted"), _("Matches"), _("Mean predicted"), _("Mean reached")):
        table.add_column(label, justify="right")
    for each in report.calibration:
        span = f"{each.low:.1f}–{each.high:.1f}"
        means = f"{each.mean_predicted:.3f}", f"{each.mean_actual:.3f}"
        table.add_row(span, f"{each.count:,}", *means)
    return table
