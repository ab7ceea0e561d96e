"""What would come of a queue's settings: simulated with those who came lately, for some seconds."""

import hashlib
from dataclasses import dataclass, replace

from django.core.cache import cache

from matchmaking.arrivals import crowd_of
from matchmaking.models import Queue, Strategy
from matchmaking.pairing.plan import Plan
from matchmaking.simulation import Crowd
from matchmaking.simulation.preview import Preview, preview
from matchmaking.sweeping.basis import Basis

__all__ = ["BUDGET", "FASTEST", "SLOWEST", "Foreseen", "crowd_for", "foresee", "foresee_strategies"]

# Seconds of computing for each simulation: a person waits for it, and others share the machine.
BUDGET = 3.0
# Tickets a second.
SLOWEST, FASTEST = 0.01, 100.0
_KEPT_SECONDS = 600
_FORMAT = 1  # of what the cache keeps: another one whenever the classes of the simulation change


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What would come of some settings, named by `label`."""

    label: str
    preview: Preview


def crowd_for(queue: Queue | None, *, arrivals: float | None = None) -> Crowd:
    """Who comes to a queue, or to a new one; `arrivals` in tickets a second, None: as they came lately."""
    crowd = Crowd() if queue is None or queue.pk is None else crowd_of(queue)
    return crowd if arrivals is None else replace(crowd, arrivals=arrivals)


def foresee(queue: Queue, crowd: Crowd, *, label: str) -> Foreseen:
    """Simulate a queue with the settings it has, saved or not."""
    return Foreseen(label, _simulate(Basis.of(queue).plan, crowd))


def foresee_strategies(queue: Queue, crowd: Crowd) -> list[Foreseen]:
    """Simulate every strategy with the queue's other settings."""
    plan = Basis.of(queue).plan
    return [
        Foreseen(
            str(strategy.label),
            _simulate(
                replace(plan, settings=replace(plan.settings, strategy=strategy.value)), crowd
            ),
        )
        for strategy in Strategy
    ]


def _simulate(plan: Plan, crowd: Crowd) -> Preview:
    """The same question has the same answer for a while, unless the machine was too busy for a good one."""
    said = repr((plan.settings, plan.rules, plan.team_count, plan.team_size, plan.is_grown, crowd))
    system = repr((plan.side_points, plan.system and (plan.system.name, plan.system.parameters)))
    key = f"foresight:{_FORMAT}:{hashlib.sha256((said + system).encode()).hexdigest()}"
    found: Preview | None = cache.get(key)
    if found is None:
        found = preview(plan, crowd, budget_seconds=BUDGET)
        if not found.is_cut:
            cache.set(key, found, _KEPT_SECONDS)
    return found
