"""`manage.py simulate_conduct`: a league with leavers, with and without rules of conduct."""

import argparse
import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from matchmaking.conduct.crashes import who_left
from matchmaking.conduct.rules import steps_of
from matchmaking.conduct.steps import cools_for
from matchmaking.models import ConductRules
from matchmaking.pairing.plan import Plan
from matchmaking.pairing.settings import Settings
from matchmaking.pairing.settings.settings import STRATEGIES
from matchmaking.preview.simulation.leavers import Drop, League, Played, play_league
from ratings.management.judgement_tables import console_on, figures_table

__all__ = ["Command", "league_by_rules"]

_MIDNIGHT = datetime(2026, 1, 1, tzinfo=UTC)
_WIDTH = 180
_LEAST_PLAYERS, _PLAYERS = 40, 3000  # and this many for each search a second


class Command(BaseCommand):
    """See `help`."""

    help = (
        "Simulate a league in which 5% leave half of their matches, and connections and servers fail now and then: how "
        "many matches of the others are with a leaver, how long the others wait, and what failing costs, without and "
        "with the rules of conduct by default."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add = parser.add_argument
        add("--strategy", nargs="*", choices=[*STRATEGIES], default=[*STRATEGIES])
        add("--arrivals", nargs="*", type=float, default=[0.1, 1.0], metavar="RATE")
        add("--hours", type=float, default=8.0, help="of an evening (default 8)")
        add("--evenings", type=int, default=1, help="that are played (default 1)")
        add("--apart-days", type=float, default=1.0, metavar="DAYS", help="from one to the next")
        add(
            "--reforms",
            type=int,
            metavar="EVENING",
            help="from this evening on, counted from 1, nobody leaves any more",
        )
        add(
            "--begins-with",
            nargs="*",
            type=float,
            default=[0.0],
            metavar="POINTS",
            help="points of each leaver at the start (default 0: a clean record)",
        )
        add("--leavers", type=float, default=0.05, metavar="SHARE")
        add("--crashes", type=float, default=0.02, metavar="SHARE", help="of the seats of others")
        add("--failures", type=float, default=0.005, metavar="SHARE", help="of matches, by servers")
        add("--every", type=float, default=2.0, metavar="SECONDS", help="between sweeps")
        add("--seeds", type=int, default=3, help="how many seeds (default 3)")
        add("--json", action="store_true", help="one JSON object a league")

    def handle(self, **options: Any) -> None:
        compared, by_evening = _compared_table(), _evenings_table()
        for strategy in options["strategy"]:
            for arrivals in options["arrivals"]:
                for points, before, after in self._compare(strategy, arrivals, options):
                    named = (strategy, f"{arrivals:g}", f"{points:g}")
                    compared.add_row(*named, *_compared(before, after))
                    for number in range(options["evenings"]):
                        its = ([one[number] for one in of] for of in (before, after))
                        by_evening.add_row(*named, str(number + 1), *_evening(*its))
        if not options["json"]:
            console = console_on(self.stdout)
            console.width = max(console.width, _WIDTH)
            console.print(compared)
            if options["evenings"] > 1:
                console.print(by_evening)

    def _compare(
        self, strategy: str, arrivals: float, options: dict[str, Any]
    ) -> Iterable[tuple[float, list[list[Played]], list[list[Played]]]]:
        """Without rules, and with them by what leavers begin with; of each seed the evenings."""
        off, on = (
            Plan(settings=Settings.build(strategy, {"conduct": {"use": use}}))
            for use in ("off", "drop")
        )
        ruled = league_by_rules(arrivals=arrivals, options=options)
        without = replace(ruled, left=0.0, cools_for=None)
        seeds = range(1, options["seeds"] + 1)
        before = [play_league(off, without, seed) for seed in seeds]
        for points in options["begins_with"]:
            after = list[list[Played]]()
            for seed, base in zip(seeds, before, strict=True):
                after.append(play_league(on, replace(ruled, begins_with=points), seed))
                if options["json"]:
                    named = {"strategy": strategy, "arrivals": arrivals, "begins_with": points}
                    figures = {"before": _as_dicts(base), "by_rules": _as_dicts(after[-1])}
                    self.stdout.write(json.dumps({**named, "seed": seed, **figures}))
                    self.stdout.flush()
            yield points, before, after


def league_by_rules(*, arrivals: float, options: dict[str, Any]) -> League:
    """A league by the rules of conduct by default, which are those of a game that has none of its own."""
    rules = ConductRules()
    steps, rejoin = steps_of(rules), timedelta(seconds=rules.rejoin_seconds)

    def seconds(points: float, offences: int) -> float:
        length = cools_for(steps, points, offences)
        return 0.0 if length is None else length.total_seconds()

    def left(drops: Sequence[Drop], end: float) -> Iterable[int]:
        """By the rule that judges matches. Whoever is back in time while the match runs has not been away."""
        over, away = _MIDNIGHT + timedelta(seconds=end), dict[int, tuple[datetime, datetime]]()
        for one in drops:
            at = _MIDNIGHT + timedelta(seconds=one.away_at)
            if one.back_at > min(end, one.away_at + rejoin.total_seconds()):
                away[one.player] = (at, at + rejoin)
        told = {one.player for one in drops if one.is_told}
        within = timedelta(seconds=rules.crash_seconds)
        return who_left(away, told, end=over, participants=2, within=within)

    reforms = options["reforms"]
    return League(
        players=max(int(arrivals * _PLAYERS), _LEAST_PLAYERS),
        arrivals=arrivals,
        seconds=options["hours"] * 3600,
        evenings=options["evenings"],
        apart_days=options["apart_days"],
        reforms=None if reforms is None else reforms - 1,
        leavers=options["leavers"],
        crashes=options["crashes"],
        failures=options["failures"],
        sweep_every=options["every"],
        left=rules.left,
        half_life_days=steps.half_life_days,
        cools_for=seconds,
        who_left=lambda drops, end: [*left(drops, end)],
    )


def _compared(before: list[list[Played]], after: list[list[Played]]) -> list[str]:
    old, new = ([_together(evenings) for evenings in of] for of in (before, after))
    falls = [1 - b["with_leaver"] / a["with_leaver"] for a, b in zip(old, new, strict=True)]
    longer = [b["wait"] / a["wait"] - 1 for a, b in zip(old, new, strict=True)]
    crashes = [int(sum(one[name] for one in new)) for name in ("crashes", "charged", "crashed")]
    return [
        _mean(old, "with_leaver", "{:.1%}"),
        _mean(new, "with_leaver", "{:.1%}"),
        _range(falls),
        _mean(old, "wait", "{:.1f}"),
        _mean(new, "wait", "{:.1f}"),
        _range(longer),
        _mean(old, "among", "{:.1%}"),
        _mean(new, "among", "{:.1%}"),
        f"{crashes[0]:,} / {crashes[1]:,}",
        f"{crashes[2]:,} / {sum(one['crashed_points'] for one in new):g}",
    ]


def _evening(before: list[Played], after: list[Played]) -> list[str]:
    old, new = ([_together([one]) for one in of] for of in (before, after))
    return [
        _mean(new, "points", "{:.2f}"),
        _mean(old, "with_leaver", "{:.1%}"),
        _mean(new, "with_leaver", "{:.1%}"),
        _mean(old, "among", "{:.1%}"),
        _mean(new, "among", "{:.1%}"),
    ]


def _together(evenings: Sequence[Played]) -> dict[str, float]:
    """Of all evenings of a league; who has crashed, and points, at the end of the last."""
    total = {
        name: sum(getattr(one, name) for one in evenings)
        for name in (
            "honest",
            "with_leaver",
            "leaver_seats",
            "among_leavers",
            "crashes",
            "charged",
        )
    }
    waits = [wait for one in evenings for wait in one.waits]
    return {
        "with_leaver": total["with_leaver"] / max(total["honest"], 1),
        "wait": sum(waits) / max(len(waits), 1),
        "among": total["among_leavers"] / max(total["leaver_seats"], 1),
        "leaver_seats": total["leaver_seats"],
        "crashes": total["crashes"],
        "charged": total["charged"],
        "crashed": evenings[-1].crashed,
        "crashed_points": evenings[-1].crashed_points,
        "points": evenings[-1].points,
    }


def _as_dicts(evenings: Sequence[Played]) -> list[dict[str, float]]:
    return [_together([one]) for one in evenings]


def _mean(of: Sequence[dict[str, float]], name: str, shown: str) -> str:
    return shown.format(sum(one[name] for one in of) / len(of))


def _range(values: Sequence[float]) -> str:
    mean = sum(values) / len(values)
    return f"{mean:.1%} ({min(values):.1%} – {max(values):.1%})"


def _compared_table() -> Any:
    return figures_table(
        _("Strategy"),
        _("searches/s"),
        _("points"),
        _("with a leaver"),
        _("by rules"),
        _("falls by"),
        _("wait, s"),
        _("by rules"),
        _("longer by"),
        _("among leavers"),
        _("by rules"),
        _("crashes / charged"),
        _("never charged / their points"),
    )


def _evenings_table() -> Any:
    return figures_table(
        _("Strategy"),
        _("searches/s"),
        _("points"),
        _("evening"),
        _("points of leavers"),
        _("with a leaver"),
        _("by rules"),
        _("among leavers"),
        _("by rules"),
    )
