"""What `simulate_queue` is told: crowds, plans, and the trials made of both."""

import argparse
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from matchmaking.management.settings_arguments import read_settings
from matchmaking.pairing import Rules
from matchmaking.pairing.model.plan import Plan
from matchmaking.pairing.settings import Settings
from matchmaking.preview.simulation import Crowd, Report, simulate
from matchmaking.preview.simulation.population import on_scale_of
from matchmaking.preview.simulation.widen import widen_to_wait
from ratings.systems import ParameterError, System, create

__all__ = [
    "Trial",
    "add_crowd_arguments",
    "crowds_of",
    "plans_of",
    "try_out",
    "variants_of",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One crowd against one plan; `beside`: the strategy whose mean wait it was widened to."""

    plan: Plan
    crowd: Crowd
    report: Report
    beside: str = ""

    @property
    def name(self) -> str:
        """The way and the arrivals: `filters, 10/s`."""
        return f"{self.way}, {self.crowd.arrivals:g}/s"

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
            "crowd": asdict(self.crowd),
            **self.report.as_dict(),
        }


def add_crowd_arguments(parser: argparse.ArgumentParser) -> None:
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


def crowds_of(options: Mapping[str, Any], system: System | None) -> list[Crowd]:
    """A crowd for each number of arrivals, on the scale of the system. Raises CommandError."""
    names = ("seconds", "regions", "languages", "several", "parties", "patience")
    given = {name: options[name] for name in names}
    known = {name: options[name] for name in ("rating", "spread") if options[name] is not None}
    usual = on_scale_of(system, Crowd())
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
    plan = _of_queue(options["queue"]) if options["queue"] else Plan(system=create("elo"))
    strategy = options["strategy"] or plan.settings.strategy
    try:
        given = plan.settings.different()
        for section, values in read_settings(strategy, options["set"]).items():
            given[section] = {**given.get(section, {}), **values}
        settings = Settings.build(strategy, given)
        rules = [_rules(plan.rules, options, cap) for cap in options["gap_cap"] or [None]]
    except (ParameterError, ValueError) as error:
        raise CommandError(str(error)) from error
    changed = replace(plan, settings=settings, is_grown=True)
    if options["teams"] is not None:
        changed = _with_teams(changed, options["teams"])
    return [replace(changed, rules=one) for one in rules]


def variants_of(plan: Plan, strategies: Iterable[str]) -> list[Plan]:
    """The plan with each strategy."""
    return [replace(plan, settings=replace(plan.settings, strategy=name)) for name in strategies]


def try_out(
    plans: Iterable[Plan],
    crowd: Crowd,
    seeds: Sequence[int],
    *,
    equal_waits: bool = False,
    band: float | None = None,
) -> list[Trial]:
    """One trial a plan; `equal_waits`: and filters with the mean wait of each that is not filters."""
    trials = [
        Trial(plan=plan, crowd=crowd, report=simulate(plan, crowd, seeds=seeds, band=band))
        for plan in plans
    ]
    others = [trial for trial in trials if trial.plan.settings.strategy != "filters"]
    return [*trials, *(_as_fast_as(trial, seeds, band) for trial in others if equal_waits)]


def _as_fast_as(other: Trial, seeds: Sequence[int], band: float | None) -> Trial:
    filters = replace(other.plan, settings=replace(other.plan.settings, strategy="filters"))
    wait = other.report.waits.mean or 0.0
    plan, report = widen_to_wait(filters, other.crowd, wait, seeds=seeds, band=band)
    beside = other.plan.settings.strategy
    return Trial(plan=plan, crowd=other.crowd, report=report, beside=beside)


def _of_queue(slug: str) -> Plan:
    from matchmaking.models import Queue  # not needed, nor a database, without a queue
    from matchmaking.sweep.basis import Basis

    queue = Queue.objects.filter(slug=slug).select_related("ladder").first()
    if queue is None:
        raise CommandError(_("queue %r: does not exist") % slug)
    return Basis.of(queue).plan


def _rules(rules: Rules, options: Mapping[str, Any], cap: float | None) -> Rules:
    """`cap`: None leaves it as it is, 0 takes it away."""
    names = ("gap_start", "gap_per_second")
    given = {name: options[name] for name in names if options[name] is not None}
    return replace(rules, **given, gap_cap=rules.gap_cap if cap is None else cap or None)


def _with_teams(plan: Plan, text: str) -> Plan:
    found = re.fullmatch(r"([1-9]\d?)x([1-9]\d?)", text)
    if found is None or int(found[1]) < 2:
        raise CommandError(
            _("--teams %r: must look like 2x5: 2 teams or more, of 1 player or more") % text
        )
    return replace(plan, team_count=int(found[1]), team_size=int(found[2]))


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
