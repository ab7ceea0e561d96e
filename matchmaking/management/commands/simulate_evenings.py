"""What alerts and rounds are worth where few play: `manage.py simulate_evenings`."""

import argparse
import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from matchmaking.management.settings_arguments import add_set_argument, read_settings
from matchmaking.pairing import Plan
from matchmaking.pairing.nearness import Nearness
from matchmaking.pairing.settings import Settings
from matchmaking.preview.simulation.evenings import Evening, play_evening
from ratings.management.whole_numbers import whole_number
from ratings.systems import REFERENCE_SYSTEM, create

_MOST = 1000
_LAST_SEED = 1_000_000_000


def _within(option: str, least: float, most: float) -> Callable[[str], float]:
    """What reads the number of an option, from `least` to `most`; any other is refused with a sentence."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not least <= value <= most:
            words = _("%(option)s %(text)r: must be a number from %(least)g to %(most)g")
            raise argparse.ArgumentTypeError(
                words % {"option": option, "text": text, "least": least, "most": most}
            )
        return value

    return read


class Command(BaseCommand):
    """Four evenings for each seed: nothing, alerts, rounds, and both."""

    help = (
        "Let simulated players come to a queue where few play, and show how many matches each gets in an evening: "
        "with and without alerts when somebody near searches, by the rules of a queue, and rounds at set times. "
        "Needs no database."
    )
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        usual = Evening()
        add = parser.add_argument
        add("--arrivals", type=float, default=usual.arrivals, help="players a second")
        add("--hours", type=float, default=usual.seconds / 3600, help="of an evening")
        add(
            "--patience",
            type=_within("--patience", 1, 86_400),
            default=usual.patience,
            help="seconds of a search, on average",
        )
        share = partial(_within, least=0, most=1)
        add(
            "--alerted",
            type=share("--alerted"),
            default=0.5,
            help="share of players who want alerts",
        )
        add(
            "--near",
            choices=[one.value for one in Nearness],
            default=usual.near.value,
            help="of whom those want to be told",
        )
        add_set_argument(parser, such_as="alerts.after=30")
        add(
            "--answers",
            type=share("--answers"),
            default=usual.answers,
            help="chance that one who is told comes",
        )
        add(
            "--joins",
            type=share("--joins"),
            default=usual.joins,
            help="share of those at hand who join a round",
        )
        add(
            "--every",
            type=_within("--every", 60, 86_400),
            default=3600.0,
            help="seconds between two rounds",
        )
        add(
            "--seed",
            type=whole_number("--seed", 0, _LAST_SEED),
            default=1,
            help="of the first evening",
        )
        add("--runs", type=int, default=8, help="evenings, each of another seed")

    def handle(self, *args: Any, **options: Any) -> None:
        if not (0 < options["arrivals"] <= 1 and 0 < options["hours"] <= 24):
            raise CommandError(_("arrivals must be above 0 and at most 1, hours at most 24"))
        if not 1 <= options["runs"] <= _MOST:
            raise CommandError(_("runs must be from 1 to %(most)s") % {"most": _MOST})
        settings = Settings.build("filters", read_settings("filters", options["set"]))
        plan = Plan(system=create(REFERENCE_SYSTEM), settings=settings)
        alone = Evening(
            arrivals=options["arrivals"],
            seconds=options["hours"] * 3600,
            patience=options["patience"],
            near=Nearness(options["near"]),
            answers=options["answers"],
            joins=options["joins"],
        )
        self.stdout.write(
            f"{'':<20}{'matches each':>14}{'lowest–highest':>18}{'none':>8}{'gap':>7}"
        )
        for name, alerted, every in (
            (_("alone"), 0.0, 0.0),
            (_("with alerts"), options["alerted"], 0.0),
            (_("with rounds"), 0.0, options["every"]),
            (_("with both"), options["alerted"], options["every"]),
        ):
            evening = replace(alone, alerted=alerted, rounds_every=every)
            seeds = range(options["seed"], options["seed"] + options["runs"])
            found = [play_evening(plan, evening, seed=seed) for seed in seeds]
            each = [one.per_player for one in found]
            nothing = np.mean([one.nothing for one in found])
            span = f"{min(each):.2f}–{max(each):.2f}"
            gap = np.nanmean([one.gap for one in found])
            self.stdout.write(
                f"{name:<20}{np.mean(each):>14.2f}{span:>18}{nothing:>8.0%}{gap:>7.0f}"
            )
