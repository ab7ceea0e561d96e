"""`manage.py simulate_queue`: waits and matches under given settings, simulated."""

import argparse
import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from matchmaking.management.settings_arguments import add_set_argument
from matchmaking.management.trial_tables import bands_table, draw, main_table
from matchmaking.management.trials import (
    Trial,
    add_population_arguments,
    plans_of,
    populations_of,
    try_out,
    variants_of,
)
from matchmaking.pairing.settings.settings import STRATEGIES
from ratings.management.judgement_tables import console_on
from ratings.management.progress_bar import progress

__all__ = ["Command"]

_WIDTH = 132  # of the table, where nobody looks at a terminal


class Command(BaseCommand):
    """See `help`."""

    help = (
        "Simulate a queue: streams of arriving players against any strategy and settings. Shows waits of those who "
        "find a match (seconds), gaps between the teams (rating points), how many matches are even (a chance from "
        "40 to 60%), and the share that finds none. Needs no database without --queue."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--queue", metavar="SLUG", help="its settings, teams and rating system, to begin with"
        )
        parser.add_argument("--strategy", metavar="NAME", help="filters, buckets or fcfs")
        parser.add_argument(
            "--compare",
            nargs="*",
            choices=[*STRATEGIES],
            metavar="NAME",
            help="these strategies, or all, with the same settings",
        )
        parser.add_argument(
            "--equal-waits",
            action="store_true",
            help="with --compare: filters once for each other strategy, with the widening (start, and growth as given "
            "or 4 or 10 times as fast) that finds the nearest partners in the same mean wait",
        )
        add_set_argument(parser, such_as="exchange.points_per_second=10")
        parser.add_argument("--gap-start", type=float, metavar="POINTS", help="accepted at once")
        parser.add_argument(
            "--gap-per-second", type=float, metavar="POINTS", help="added for every second"
        )
        parser.add_argument(
            "--gap-cap",
            nargs="+",
            type=float,
            metavar="POINTS",
            help="the most; 0: no limit; one run for each, such as 0 100 200",
        )
        parser.add_argument(
            "--teams", metavar="KxS", help="K teams of S players (default 2x1, or the ladder's)"
        )
        add_population_arguments(parser)
        parser.add_argument("--json", action="store_true", help="one JSON object a run")
        parser.add_argument(
            "--bands",
            type=_width,
            nargs="?",
            const=0.0,
            metavar="POINTS",
            help="waits and gaps by rating too, in bands so wide, or of one standard deviation",
        )
        parser.add_argument("--svg", metavar="FILE", help="write a chart")
        parser.add_argument(
            "--chart",
            choices=("trade", "stays", "gaps"),
            default="trade",
            help="of it: mean gaps over mean waits (trade, the default), or stays or gaps by rating",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["equal_waits"] and options["compare"] is None:
            raise CommandError(_("--equal-waits compares strategies; give --compare too"))
        plans = plans_of(options)
        populations = populations_of(options, plans[0].system)
        if options["compare"] is not None:
            names = options["compare"] or STRATEGIES
            plans = [variant for plan in plans for variant in variants_of(plan, names)]
        seeds = range(options["seed"], options["seed"] + options["runs"])
        trials: list[Trial] = []
        with progress(_("Simulating"), _("runs"), quiet=options["json"]) as advance:
            for population in populations:
                trials += try_out(
                    plans,
                    population,
                    seeds,
                    equal_waits=options["equal_waits"],
                    band=options["bands"] or None,
                )
                advance(len(trials), len(trials), len(populations) * len(plans))
        if options["json"]:
            for trial in trials:
                self.stdout.write(json.dumps(trial.as_dict()))
        else:
            console = console_on(self.stdout)
            console.width = max(console.width, _WIDTH)
            console.print(main_table(trials))
            for trial in trials if options["bands"] is not None else ():
                console.print()
                console.print(trial.name, style="bold", markup=False)
                console.print(bands_table(trial.report))
        if (name := options["svg"]) is not None:
            try:
                Path(name).write_text(draw(trials, options["chart"]), encoding="utf-8")
            except OSError as error:
                reason = error.strerror or type(error).__name__
                raise CommandError(f"{name!r}: {reason}") from error
            self.stderr.write(_("The chart is in %s.") % name)


def _width(text: str) -> float:
    value = float(text)
    if not 1 <= value <= 10_000:
        raise argparse.ArgumentTypeError(f"{text}: must be from 1 to 10000 rating points")
    return value
