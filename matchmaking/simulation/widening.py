"""How far filters must accept so that players wait no longer than with another strategy."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from matchmaking.pairing.plan import Plan
from matchmaking.simulation.crowd import Crowd
from matchmaking.simulation.report import Report
from matchmaking.simulation.running import simulate

__all__ = ["widen_to_wait"]

_LOWEST, _HIGHEST, _STEPS = 0.0, 6400.0, 12
_CLOSE = 0.01


def widen_to_wait(
    plan: Plan,
    crowd: Crowd,
    wait: float,
    *,
    seeds: Sequence[int] = (1,),
    band: float | None = None,
) -> tuple[Plan, Report]:
    """The plan with the narrowest gap at the start with which players wait `wait` seconds at most.

    On average, of those who find a match. By halving: wider gaps make shorter waits. Where even
    the widest does not do, the widest; the growth by waiting stays what it is.
    """
    return _halve(lambda start: _try(plan, start, crowd, seeds, band), wait)


def _halve(attempt: Callable[[float], tuple[Plan, Report]], wait: float) -> tuple[Plan, Report]:
    low, high = _LOWEST, _HIGHEST
    best = attempt(high)
    for _ in range(_STEPS):
        middle = (low + high) / 2
        found = attempt(middle)
        mean = found[1].waits.mean
        if mean is not None and mean <= wait:
            best, high = found, middle
            if mean >= wait * (1 - _CLOSE):
                break
        else:
            low = middle
    return best


def _try(
    plan: Plan, start: float, crowd: Crowd, seeds: Sequence[int], band: float | None
) -> tuple[Plan, Report]:
    cap = plan.rules.gap_cap
    rules = replace(plan.rules, gap_start=start, gap_cap=None if cap is None else max(cap, start))
    tried = replace(plan, rules=rules)
    return tried, simulate(tried, crowd, seeds=seeds, band=band)
