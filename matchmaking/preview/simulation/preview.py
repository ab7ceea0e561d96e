"""What settings would do, soon enough for a page that waits for it."""

import time
from dataclasses import dataclass, replace

import numpy as np

from matchmaking.pairing.plan import Plan
from matchmaking.preview.simulation.draw import draw_arrivals
from matchmaking.preview.simulation.population import Population, is_usual, on_scale_of
from matchmaking.preview.simulation.report import Report, report_on
from matchmaking.preview.simulation.run import run

__all__ = ["Preview", "preview"]

# Sweeps that a second is taken to be enough for, on a machine with other work to do: more where few
# come, as most sweeps then find nobody to match. And the fewest seconds of a queue that say anything.
_SWEEPS_PER_SECOND, _IDLE_SWEEPS_PER_SECOND, _FEW = 300, 900, 0.2
_LEAST_SECONDS = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """Figures of a queue.

    report   what came of those who came
    seconds  how long the queue was watched, of its own time
    is_cut   whether the machine was too slow to watch it to the end
    """

    report: Report
    seconds: float
    is_cut: bool


def preview(plan: Plan, population: Population, *, budget_seconds: float, seed: int = 1) -> Preview:
    """The figures of a queue with these settings, computed within about `budget_seconds`.

    The population's seconds are cut to what a budget is usually enough for; so two plans with the same
    population, seed and budget are compared on the same tickets. Should the machine be slower still, the
    queue is watched for less time. Of a population that nobody has measured the ratings are on the scale of the plan's.
    """
    if is_usual(population):
        population = on_scale_of(plan.system, population)
    is_idle = population.arrivals * population.sweep_every < _FEW
    sweeps = budget_seconds * (_IDLE_SWEEPS_PER_SECOND if is_idle else _SWEEPS_PER_SECOND)
    seconds = min(population.seconds, max(_LEAST_SECONDS, sweeps * population.sweep_every))
    watched = replace(population, seconds=seconds)
    deadline = time.perf_counter() + budget_seconds
    done = 0

    def goes_on() -> bool:
        nonlocal done
        is_in_time = time.perf_counter() < deadline
        done += is_in_time
        return is_in_time

    arrivals = draw_arrivals(watched, plan, np.random.default_rng(seed))
    outcomes = run(arrivals, plan, watched, goes_on=goes_on)
    return Preview(
        report=report_on(outcomes, watched),
        seconds=done * watched.sweep_every,
        is_cut=done < watched.sweeps,
    )
