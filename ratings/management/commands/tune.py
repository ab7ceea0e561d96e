"""`manage.py tune`: find the parameters with which a rating system predicts games best."""

import argparse
import json
import time
from collections.abc import Iterable, Mapping
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from ratings.evaluation import (
    GamePredictions,
    Tuned,
    likely_draws_and_side,
    predict_games,
    tune,
    usual_names,
)
from ratings.management.judgement_tables import (
    calibration_table,
    console_on,
    facts_table,
    figures_of,
    figures_table,
    judgement,
    shown,
)
from ratings.management.progress_bar import progress
from ratings.management.trials import add_trial_arguments, games_of, refusals, setup_of, share_of
from ratings.systems import Value

__all__ = ["Command"]


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
            names = tuple(dict.fromkeys(name for group in options["vary"] for name in group))
            names = names or usual_names(setup, played)
            first = played.first(options["until"])
            if options["estimate"]:
                setup = setup.changed(likely_draws_and_side(first, setup))
            if not names or not len(first) or len(first) == len(played):
                text = _("There is nothing to tune: give games, and parameters with --vary.")
                raise CommandError(text)
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
            rest = predict_games(played, tuned.setup).later(options["until"])
            untuned = predict_games(played, setup).later(options["until"])
            seconds = time.perf_counter() - begun
        changed = {
            name: {"before": setup.value(name), "after": value}
            for name, value in tuned.values.items()
        }
        if options["json"]:
            record = {
                "system": tuned.setup.name,
                "parameters": dict(tuned.setup.given),
                "period_days": tuned.setup.period_days,
                "varied": changed,
                "until": options["until"],
                "warm_up": options["warm_up"],
                "runs": tuned.runs,
                "players": played.players,
                "seconds": round(seconds, 4),
                "searched": {"log_loss_before": tuned.before, "log_loss_after": tuned.after},
                "untuned": judgement(untuned),
                **judgement(rest),
            }
            self.stdout.write(json.dumps(record))
            return
        facts = (
            (_("Players"), f"{played.players:,}"),
            (_("Runs"), f"{tuned.runs:,}"),
            (_("Seconds"), f"{seconds:.1f}"),
            (_("Log loss searched on, before"), shown(tuned.before)),
            (_("Log loss searched on, after"), shown(tuned.after)),
            (_("Log loss of the rest, before"), shown(untuned.report().log_loss)),
        )
        self._show(tuned, changed, facts, rest)

    def _show(
        self,
        tuned: Tuned,
        changed: Mapping[str, Mapping[str, Value]],
        facts: Iterable[tuple[str, str]],
        rest: GamePredictions,
    ) -> None:
        console, report = console_on(self.stdout), rest.report()
        table = figures_table(_("Parameter"), _("Before"), _("Found"))
        for name, values in changed.items():
            table.add_row(name, *map(_text, values.values()))
        console.print(table)
        console.print(facts_table(facts))
        console.print(_("On the rest, with what was found:"))
        console.print(facts_table(figures_of(rest, report)))
        console.print(calibration_table(report))
        # What to write after `backtest` to get these figures again.
        words = [f"--system {tuned.setup.name}"]
        if tuned.setup.period_days is not None:
            words.append(f"--period {tuned.setup.period_days * 86_400:.0f}s")
        words += [f"--param {name}={_text(value)}" for name, value in tuned.setup.given.items()]
        console.print(" ".join(words), markup=False)


def _text(value: Value) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _runs(text: str) -> int:
    value = int(text)
    if not 1 <= value <= 100_000:
        raise argparse.ArgumentTypeError(f"{text}: must be from 1 to 100000")
    return value
