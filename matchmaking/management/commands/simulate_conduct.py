"""`manage.py simulate_conduct`: a league with leavers, with and without rules of conduct."""

import argparse
import json
from dataclasses import dataclass, replace
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from matchmaking.conduct.rules import steps_of
from matchmaking.conduct.steps import cools_for
from matchmaking.models import ConductRules
from matchmaking.pairing.plan import Plan
from matchmaking.pairing.settings import Settings
from matchmaking.pairing.settings.settings import STRATEGIES
from matchmaking.preview.simulation.leavers import League, Played, play_league
from ratings.management.judgement_tables import console_on, figures_table

__all__ = ["Command"]


@dataclass(frozen=True, slots=True)
class _Compared:
    """One strategy at one rate, without and with rules, over all seeds."""

    strategy: str
    arrivals: float
    begins_with: float
    without: list[Played]
    by_rules: list[Played]

    def as_json(self) -> dict[str, Any]:
        before, after = (_mean(of) for of in (self.without, self.by_rules))
        return {
            "strategy": self.strategy,
            "arrivals": self.arrivals,
            "begins_with": self.begins_with,
            "with_leaver_before": before["with_leaver"],
            "with_leaver": after["with_leaver"],
            "falls_by": 1 - after["with_leaver"] / before["with_leaver"]
            if before["with_leaver"]
            else 0.0,
            "wait_before": before["wait"],
            "wait": after["wait"],
            "among_leavers_before": before["among"],
            "among_leavers": after["among"],
            "leaver_matches_before": before["leaver_seats"],
            "leaver_matches": after["leaver_seats"],
        }


class Command(BaseCommand):
    """See `help`."""

    help = (
        "Simulate a league in which 5 % leave half of their matches: how many matches of the others are with a leaver, "
        "and how long the others wait, without and with the rules of conduct by default."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--strategy", nargs="*", choices=[*STRATEGIES], default=[*STRATEGIES])
        parser.add_argument("--arrivals", nargs="*", type=float, default=[0.1, 1.0], metavar="RATE")
        parser.add_argument("--hours", type=float, default=12.0, help="watched (default 12)")
        parser.add_argument(
            "--begins-with",
            type=float,
            default=0.0,
            metavar="POINTS",
            help="points of each leaver at the start (default 0: a clean record)",
        )
        parser.add_argument("--leavers", type=float, default=0.05, metavar="SHARE")
        parser.add_argument("--seeds", type=int, default=2, help="how many seeds (default 2)")
        parser.add_argument("--json", action="store_true", help="one JSON object a run")

    def handle(self, **options: Any) -> None:
        found = []
        for strategy in options["strategy"]:
            for arrivals in options["arrivals"]:
                one = _compare(strategy, arrivals, options)
                found.append(one)
                if options["json"]:
                    self.stdout.write(json.dumps(one.as_json()))
        if not options["json"]:
            console_on(self.stdout).print(_table(found))


def _compare(strategy: str, arrivals: float, options: dict[str, Any]) -> _Compared:
    steps = steps_of(ConductRules())

    def seconds(points: float, offences: int) -> float:
        length = cools_for(steps, points, offences)
        return 0.0 if length is None else length.total_seconds()

    off, on = (
        Plan(settings=Settings.build(strategy, {"conduct": {"use": use}}))
        for use in ("off", "drop")
    )
    without = League(
        players=max(int(arrivals * 3000), 40),
        arrivals=arrivals,
        seconds=options["hours"] * 3600,
        leavers=options["leavers"],
        left=0.0,
    )
    rules = replace(
        without,
        left=ConductRules().left,
        begins_with=options["begins_with"],
        half_life_days=steps.half_life_days,
        cools_for=seconds,
    )
    seeds = range(1, options["seeds"] + 1)
    return _Compared(
        strategy,
        arrivals,
        options["begins_with"],
        [play_league(off, without, seed) for seed in seeds],
        [play_league(on, rules, seed) for seed in seeds],
    )


def _mean(of: list[Played]) -> dict[str, float]:
    honest, seats = sum(one.honest for one in of), sum(one.leaver_seats for one in of)
    waits = [wait for one in of for wait in one.waits]
    return {
        "with_leaver": sum(one.with_leaver for one in of) / max(honest, 1),
        "wait": sum(waits) / max(len(waits), 1),
        "among": sum(one.among_leavers for one in of) / max(seats, 1),
        "leaver_seats": float(seats),
    }


def _table(found: list[_Compared]) -> Any:
    table = figures_table(
        _("Strategy"),
        _("searches/s"),
        _("with a leaver"),
        _("by rules"),
        _("falls by"),
        _("wait"),
        _("by rules"),
        _("leavers among leavers"),
        _("by rules"),
    )
    for one in found:
        it = one.as_json()
        table.add_row(
            one.strategy,
            f"{one.arrivals:g}",
            f"{it['with_leaver_before']:.1%}",
            f"{it['with_leaver']:.1%}",
            f"{it['falls_by']:.1%}",
            f"{it['wait_before']:.1f} s",
            f"{it['wait']:.1f} s",
            f"{it['among_leavers_before']:.1%}",
            f"{it['among_leavers']:.1%}",
        )
    return table
