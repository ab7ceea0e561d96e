"""`manage.py tune`: find the parameters with which a rating system foresees games best."""

import argparse
import json
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from rich.table import Table

from ratings.evaluation import (
    Foreseen,
    Played,
    Setup,
    Tuned,
    foresee,
    likely_draws_and_side,
    tune,
    usual_names,
)
from ratings.management.judgement_tables import (
    calibration_table,
    console_on,
    facts_table,
    figures_of,
    judgement,
    shown,
)
from ratings.management.progress_bar import progress
from ratings.management.trials import add_trial_arguments, games_of, refusals, setup_of, share_of
from ratings.systems import Value

__all__ = ["Command"]


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What was found on the first part, and what it is worth on the rest."""

    setup: Setup
    tuned: Tuned
    rest: Foreseen
    untuned: Foreseen
    seconds: float


class Command(BaseCommand):
    """See `help`."""

    help = (
        "Find parameters of a rating system on the first part of the games, by the least log loss of its "
        "predictions one step ahead, and report how well they foresee the rest, which the search never saw."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_trial_arguments(parser, needs_system=True)
        parser.add_argument(
            "--vary",
            action="append",
            nargs="+",
            default=[],
            metavar="NAME",
            help="parameters to vary, or period; without: those that usually matter",
        )
        parser.add_argument(
            "--until",
            type=share_of,
            default=0.5,
            metavar="SHARE",
            help="the share of the games to search on, the oldest (default 0.5)",
        )
        parser.add_argument(
            "--warm-up",
            type=share_of,
            default=0.1,
            metavar="SHARE",
            help="the share of these, the oldest, that is rated but not judged (default 0.1)",
        )
        parser.add_argument(
            "--runs", type=_runs, default=200, metavar="N", help="runs at most (default 200)"
        )
        parser.add_argument(
            "--estimate",
            action="store_true",
            help="elo: begin with the draw_nu and side_gamma that make these results most likely",
        )
        parser.add_argument("--json", action="store_true", help="one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        with refusals(options):
            setup = setup_of(options)
            played = games_of(options, setup)
            outcome = _search(played, setup, options)
        if options["json"]:
            self.stdout.write(json.dumps(_record(outcome, played, options)))
        else:
            self._show(outcome, played)

    def _show(self, outcome: _Outcome, played: Played) -> None:
        console, report = console_on(self.stdout), outcome.rest.report()
        console.print(_found(outcome))
        facts: Iterable[tuple[str, str]] = (
            (_("Players"), f"{played.players:,}"),
            (_("Runs"), f"{outcome.tuned.runs:,}"),
            (_("Seconds"), f"{outcome.seconds:.1f}"),
            (_("Log loss searched on, before"), shown(outcome.tuned.before)),
            (_("Log loss searched on, after"), shown(outcome.tuned.after)),
            (_("Log loss of the rest, before"), shown(outcome.untuned.report().log_loss)),
        )
        console.print(facts_table(facts))
        console.print(_("On the rest, with what was found:"))
        console.print(facts_table(figures_of(outcome.rest, report)))
        console.print(calibration_table(report))
        console.print(" ".join(_options(outcome.tuned)), markup=False)


def _search(played: Played, setup: Setup, options: dict[str, Any]) -> _Outcome:
    names = tuple(dict.fromkeys(name for group in options["vary"] for name in group))
    names = names or usual_names(setup, played)
    first = played.first(options["until"])
    if options["estimate"]:
        likely = likely_draws_and_side(first, setup)
        found = {"draw_nu": likely.draw_nu, "side_gamma": likely.side_gamma}
        setup = setup.changed(found)
    if not names or not len(first) or len(first) == len(played):
        raise CommandError(_("There is nothing to tune: give games, and parameters with --vary."))
    begun = time.perf_counter()
    with progress(_("Searching"), _("runs"), quiet=options["json"]) as advance:
        tuned = tune(
            first,
            setup,
            names,
            warm_up=options["warm_up"],
            most=options["runs"],
            on_run=lambda one: advance(
                one.runs, one.runs, one.most, _("Best log loss %.5f") % one.best
            ),
        )
    rest = foresee(played, tuned.setup).later(options["until"])
    untuned = foresee(played, setup).later(options["until"])
    return _Outcome(setup, tuned, rest, untuned, time.perf_counter() - begun)


def _record(outcome: _Outcome, played: Played, options: dict[str, Any]) -> dict[str, Any]:
    tuned = outcome.tuned
    return {
        "system": tuned.setup.name,
        "parameters": dict(tuned.setup.given),
        "period_days": tuned.setup.period_days,
        "varied": {
            name: {"before": outcome.setup.value(name), "after": value}
            for name, value in tuned.values.items()
        },
        "until": options["until"],
        "warm_up": options["warm_up"],
        "runs": tuned.runs,
        "players": played.players,
        "seconds": round(outcome.seconds, 4),
        "searched": {"log_loss_before": tuned.before, "log_loss_after": tuned.after},
        "untuned": judgement(outcome.untuned),
        **judgement(outcome.rest),
    }


def _found(outcome: _Outcome) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column(_("Parameter"), style="bold")
    for label in (_("Before"), _("Found")):
        table.add_column(label, justify="right")
    for name, value in outcome.tuned.values.items():
        table.add_row(name, _text(outcome.setup.value(name)), _text(value))
    return table


def _options(tuned: Tuned) -> Iterable[str]:
    """What to write after `backtest` to get these figures again."""
    yield f"--system {tuned.setup.name}"
    if tuned.setup.period_days is not None:
        yield f"--period {tuned.setup.period_days * 86_400:.0f}s"
    for name, value in tuned.setup.given.items():
        yield f"--param {name}={_text(value)}"


def _text(value: Value) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _runs(text: str) -> int:
    value = int(text)
    if not 1 <= value <= 100_000:
        raise argparse.ArgumentTypeError(f"{text}: must be from 1 to 100000")
    return value
