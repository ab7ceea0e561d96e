"""What `simulate_queue` reads from its options, populations and plans, and the trials made of both."""

import argparse
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from matchmaking.management.settings_arguments import read_settings
from matchmaking.pairing.plan import Plan
from matchmaking.pairing.settings import Settings
from matchmaking.preview.simulation import Population, Report, simulate
from matchmaking.preview.simulation.population import on_scale_of
from matchmaking.preview.simulation.widen import widen_to_wait
from ratings.systems import REFERENCE_SYSTEM, ParameterError, System, create

__all__ = [
    "Trial",
    "add_population_arguments",
    "plans_of",
    "populations_of",
    "try_out",
    "variants_of",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One population against one plan; `beside`: the strategy whose mean wait it was widened to."""

    plan: Plan
    population: Population
    report: Report
    beside: str = ""

    @property
    def name(self) -> str:
        """The way and the arrivals: `filters, 10/s`."""
        return f"{self.way}, {self.population.arrivals:g}/s"

    @property
    def way(self) -> str:
        """How matches are found."""
        strategy, cap = self.plan.settings.strategy, self.plan.rules.gap_cap
        if cap is not None and strategy == "filters":
            strategy = _("%(strategy)s up to %(points)s") % {
                "strategy": strategy,
                "points": f"{cap:g}",
            }
        if self.beside:
            return _("%(strategy)s as fast as %(other)s") % {
                "strategy": strategy,
                "other": self.beside,
            }
        return strategy

    def as_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        plan = self.plan
        return {
            "strategy": plan.settings.strategy,
            "beside": self.beside or None,
            "settings": plan.settings.different(),
            "rules": asdict(plan.rules),
            "teams": [plan.team_count, plan.team_size],
            "system": plan.system.name if plan.system else None,
            "crowd": asdict(self.population),
            **asdict(self.report),
        }


def add_population_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that say who comes."""
    add = parser.add_argument
    add(
        "--arrivals",
        nargs="+",
        type=float,
        default=[1.0],
        metavar="N",
        help="tickets a second; one run each, such as 0.1 1 10 (default 1)",
    )
    add("--seconds", type=float, default=3600.0, metavar="N", help="watched for (default 3600)")
    scaled = "or as much on the scale of the queue's ladder"
    add("--rating", type=float, metavar="POINTS", help=f"mean (default 1500, {scaled})")
    add(
        "--spread",
        type=float,
        metavar="POINTS",
        help=f"standard deviation of the ratings (default 300, {scaled})",
    )
    shares = "a number of equal ones, or shares such as 60,30,10"
    add("--regions", type=_shares, default=(), metavar="SHARES", help=shares)
    add("--languages", type=_shares, default=(), metavar="SHARES", help=shares)
    add(
        "--several",
        type=float,
        default=0.0,
        metavar="SHARE",
        help="of the tickets: name a second language, and accept all regions",
    )
    add(
        "--parties",
        type=_shares_only,
        default=(1.0,),
        metavar="SHARES",
        help="how many tickets are of 1, 2, 3, … players: 70,20,10",
    )
    add("--patience", type=float, metavar="SECONDS", help="until tickets give up, on average")
    add("--every", type=float, default=1.0, metavar="SECONDS", help="between sweeps (default 1)")
    add("--seed", type=int, default=1, metavar="N", help="of the first run (default 1)")
    add("--runs", type=_runs, default=1, metavar="N", help="runs with other seeds, taken together")


def populations_of(options: Mapping[str, Any], system: System | None) -> list[Population]:
    """A population for each number of arrivals, on the scale of the system. Raises CommandError."""
    names = ("seconds", "regions", "languages", "several", "parties", "patience")
    given = {name: options[name] for name in names}
    known = {name: options[name] for name in ("rating", "spread") if options[name] is not None}
    usual = on_scale_of(system, Population())
    given["sweep_every"] = options["every"]
    try:
        return [
            replace(usual, arrivals=arrivals, **given, **known) for arrivals in options["arrivals"]
        ]
    except ValueError as error:
        raise CommandError(str(error)) from error


def plans_of(options: Mapping[str, Any]) -> list[Plan]:
    """The plan of the queue, or of nothing but defaults, with what the options change.

    One for each largest gap, if several are given. Raises CommandError.
    """
    plan = Plan(system=create(REFERENCE_SYSTEM))
    if slug := options["queue"]:
        from matchmaking.models import Queue  # not needed, nor a database, without a queue
        from matchmaking.sweep.pairing_context import PairingContext

        queue = Queue.objects.filter(slug=slug).select_related("ladder").first()
        if queue is None:
            raise CommandError(_("queue %r: does not exist") % slug)
        plan = PairingContext.of(queue).plan
    strategy = options["strategy"] or plan.settings.strategy
    try:
        given = plan.settings.different()
        for section, values in read_settings(strategy, options["set"]).items():
            given[section] = {**given.get(section, {}), **values}
        settings = Settings.build(strategy, given)
        gaps = {name: options[name] for name in ("gap_start", "gap_per_second")}
        gaps = {name: points for name, points in gaps.items() if points is not None}
        rules = replace(plan.rules, **gaps)
        caps = [cap or None for cap in options["gap_cap"] or []]  # 0 takes it away
        every = [replace(rules, gap_cap=cap) for cap in caps] or [rules]
    except (ParameterError, ValueError) as error:
        raise CommandError(str(error)) from error
    changed = replace(plan, settings=settings, is_grown=True)
    if options["teams"] is not None:
        found = re.fullmatch(r"([1-9]\d?)x([1-9]\d?)", options["teams"])
        if found is None or int(found[1]) < 2:
            raise CommandError(
                _("--teams %r: must look like 2x5: 2 teams or more, of 1 player or more")
                % options["teams"]
            )
        changed = replace(changed, team_count=int(found[1]), team_size=int(found[2]))
    return [replace(changed, rules=rules) for rules in every]


def variants_of(plan: Plan, strategies: Iterable[str]) -> list[Plan]:
    """The plan with each strategy."""
    return [replace(plan, settings=replace(plan.settings, strategy=name)) for name in strategies]


def try_out(
    plans: Iterable[Plan],
    population: Population,
    seeds: Sequence[int],
    *,
    equal_waits: bool = False,
    band: float | None = None,
) -> list[Trial]:
    """One trial a plan; `equal_waits`: and filters with the mean wait of each that is not filters."""
    trials = [
        Trial(
            plan=plan,
            population=population,
            report=simulate(plan, population, seeds=seeds, band=band),
        )
        for plan in plans
    ]
    others = [trial for trial in trials if trial.plan.settings.strategy != "filters"]
    for other in others if equal_waits else ():
        strategy, wait = other.plan.settings.strategy, other.report.waits.mean or 0.0
        filters = replace(other.plan, settings=replace(other.plan.settings, strategy="filters"))
        plan, report = widen_to_wait(filters, population, wait, seeds=seeds, band=band)
        trials.append(Trial(plan=plan, population=population, report=report, beside=strategy))
    return trials


def _shares(text: str) -> tuple[float, ...]:
    shares = _shares_only(text)
    if len(shares) == 1:
        if not (shares[0] == int(shares[0]) and 0 <= shares[0] <= 62):
            raise argparse.ArgumentTypeError(f"{text}: must be a number from 0 to 62, or shares")
        return (1.0,) * int(shares[0])
    return shares


def _shares_only(text: str) -> tuple[float, ...]:
    try:
        return tuple(float(word) for word in text.split(","))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text}: must be numbers such as 60,30,10") from error


def _runs(text: str) -> int:
    value = int(text)
    if not 1 <= value <= 1000:
        raise argparse.ArgumentTypeError(f"{text}: must be from 1 to 1000")
    return value
