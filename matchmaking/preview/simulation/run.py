"""A queue from its first second to its last, sweep by sweep."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from matchmaking.pairing.arrivals import ArrivalRates
from matchmaking.pairing.plan import Plan
from matchmaking.pairing.strategies.choose import find_matches
from matchmaking.preview.simulation.draw import Arrivals, draw_arrivals
from matchmaking.preview.simulation.population import Population
from matchmaking.preview.simulation.report import Outcomes, Report, report_on

__all__ = ["run", "simulate"]

# Rates are learned from so many tickets, the newest, and anew when a tenth more have come.
_LEARNED_FROM, _ANEW = 500, 1.1


def simulate(
    plan: Plan, population: Population, *, seeds: Sequence[int] = (1,), band: float | None = None
) -> Report:
    """The figures of a queue with these settings and this population, over all seeds together.

    band  see `report_on`
    """
    parts = [
        run(draw_arrivals(population, plan, np.random.default_rng(seed)), plan, population)
        for seed in seeds
    ]
    return report_on(Outcomes.join(parts), population, band=band)


def run(
    arrivals: Arrivals,
    plan: Plan,
    population: Population,
    *,
    goes_on: Callable[[], bool] = lambda: True,
) -> Outcomes:
    """Sweep from the start to the end of the population's seconds. Who waits then stays unmatched.

    goes_on  asked before each sweep; once it says no, the queue is watched no longer
    """
    n, sizes = len(arrivals), arrivals.members.sizes
    come, now, waiting = 0, 0.0, np.empty(0, dtype=np.int64)
    ended, own_gap = np.full((2, n), np.nan)
    matched, left = np.zeros((2, n), dtype=np.bool_)
    gap, chance, cost = ([np.empty(0)] for _ in range(3))
    learn_at = 0.0
    for number in range(1, population.sweeps + 1):
        if not goes_on():
            break
        now = number * population.sweep_every
        # Let in who has come, and out who has waited long enough.
        before, come = come, int(np.searchsorted(arrivals.at, now, side="right"))
        waiting = np.concatenate((waiting, np.arange(before, come)))
        if plan.settings.timing.holds and come > learn_at:
            plan, learn_at = replace(plan, arrivals=_learned(arrivals, come, now)), _ANEW * come
        gives_up = arrivals.gives_up[waiting]
        if (gone := gives_up <= now).any():
            left[waiting[gone]], ended[waiting[gone]] = True, gives_up[gone]
            waiting = waiting[~gone]
        if sizes[waiting].sum() < plan.team_count * plan.team_size:
            continue
        found = find_matches(arrivals.tickets(waiting, now), plan)
        if len(found):
            tickets = waiting[found.ticket]
            matched[tickets], ended[tickets] = True, now
            own_gap[tickets] = found.gap[found.match]
            gap.append(found.gap)
            chance.append(found.chance)
            cost.append(found.cost)
            waiting = waiting[np.sort(found.left)]
    return Outcomes(
        rating=arrivals.rating[:come],
        wait=(np.where(np.isnan(ended), now, ended) - arrivals.at)[:come],
        matched=matched[:come],
        left=left[:come],
        own_gap=own_gap[:come],
        gap=np.concatenate(gap),
        chance=np.concatenate(chance),
        cost=np.concatenate(cost),
    )


def _learned(arrivals: Arrivals, come: int, now: float) -> ArrivalRates | None:
    """What a queue knows by now of who comes: from its own tickets, as a sweep does."""
    first = max(come - _LEARNED_FROM, 0)
    return ArrivalRates.learned(
        arrivals.rating[first:come], now - (arrivals.at[first] if first else 0.0)
    )
