"""How far filters must accept so that players wait no longer than with another strategy."""

from collections.abc import Sequence
from dataclasses import replace

from matchmaking.pairing.plan import Plan, Rules
from matchmaking.preview.simulation.population import Population
from matchmaking.preview.simulation.report import Report
from matchmaking.preview.simulation.run import simulate

__all__ = ["widen_to_wait"]

_LOWEST, _HIGHEST, _STEPS = 0.0, 6400.0, 12
# The gap grows as the plan says, or so many times as fast.
_FASTER = (1, 4, 10)
# A mean wait is the same within this share.
_CLOSE = 0.01


def widen_to_wait(
    plan: Plan,
    population: Population,
    wait: float,
    *,
    seeds: Sequence[int] = (1,),
    band: float | None = None,
) -> tuple[Plan, Report]:
    """The plan with the widening that finds the nearest partners while players wait for `wait` seconds.

    On average, of those who find a match; up to 1 % longer counts as the same. Of the growth given,
    and 4 and 10 times that, the narrowest gap at the start is searched for which does; of the three
    the one with the least mean gap counts. Where even the widest start does not do, that is it.

    seeds, band  see `simulate`
    """
    best: tuple[bool, float] | None = None
    for faster in _FASTER:
        rules = replace(plan.rules, gap_per_second=plan.rules.gap_per_second * faster)
        plan_then, report = _find_start(replace(plan, rules=rules), population, wait, seeds, band)
        # Those that make players wait for longer come last, then the larger gaps.
        mean, gap = report.waits.mean, report.gaps.mean
        is_longer = mean is None or mean > wait * (1 + _CLOSE)
        shortfall = is_longer, float("inf") if gap is None else gap
        if best is None or shortfall < best:
            best, found = shortfall, (plan_then, report)
    return found


def _find_start(
    plan: Plan, population: Population, wait: float, seeds: Sequence[int], band: float | None
) -> tuple[Plan, Report]:
    """By halving: wider gaps make shorter waits."""
    low, high, best = _LOWEST, _HIGHEST, None
    for _ in range(_STEPS):
        middle = (low + high) / 2
        tried = replace(plan, rules=_begin(plan.rules, middle))
        report = simulate(tried, population, seeds=seeds, band=band)
        mean = report.waits.mean
        if mean is not None and mean <= wait * (1 + _CLOSE):
            best, high = (tried, report), middle
            if mean >= wait * (1 - _CLOSE):
                break
        else:
            low = middle
    if best is None:
        widest = replace(plan, rules=_begin(plan.rules, _HIGHEST))
        return widest, simulate(widest, population, seeds=seeds, band=band)
    return best


def _begin(rules: Rules, start: float) -> Rules:
    cap = rules.gap_cap
    return replace(rules, gap_start=start, gap_cap=None if cap is None else max(cap, start))
