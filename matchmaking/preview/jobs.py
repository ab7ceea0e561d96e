"""What would come of a queue's settings: simulated by a worker with those who came lately, for some seconds.

A question and its answer are kept in the cache for a while, under a name made of the question: whoever asks the same
shares the answer, and nobody gets another's. Losing them costs no more than asking again.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import structlog
from django.core.cache import cache
from django.utils.translation import gettext as _

from foundation import clock
from foundation.refusals import RefusedError
from foundation.wakeups import task_named
from matchmaking.models import Queue
from matchmaking.models.queues import GAPS
from matchmaking.pairing.settings import STRATEGIES
from matchmaking.preview.recent_arrivals import population_of
from matchmaking.preview.simulation import Population
from matchmaking.preview.simulation.preview import Preview, preview
from matchmaking.sweep.pairing_context import PairingContext

__all__ = ["NoPreviewError", "answer", "ask", "ask_for_strategies", "look", "population_for"]

log = structlog.get_logger(__name__)

# Seconds of computing for each simulation: a person waits for it, and others share the machine.
BUDGET = 3.0
_KEPT_SECONDS, _POPULATION_SECONDS = 600, 300
_CUT_SECONDS = 60  # for which figures are kept that a busy machine has cut short
_PATIENCE = 30  # seconds after which another worker is woken, should the first have died
_FORMAT = (
    4  # of what the cache keeps: another one whenever classes of the simulation change or move
)
_FAILED = "failed"
_COLUMNS = ("slug", "ladder_id", "strategy", "settings", *GAPS)


class NoPreviewError(RefusedError):
    """A simulation that was asked for will not come."""

    code = "no_preview"


@dataclass(frozen=True, slots=True)
class _Question:
    """The columns of a queue that matter, saved or not; who comes; when somebody asked last."""

    columns: Mapping[str, Any]
    population: Population
    asked_at: datetime


@dataclass(frozen=True, slots=True)
class PreviewProgress:
    """What is known by now.

    found   the simulations that are done, by the names they were asked for with
    asked   how many were asked for
    population   who comes to all of them
    waited  seconds since somebody asked
    """

    found: Mapping[str, Preview]
    asked: int
    population: Population
    waited: float

    @property
    def is_done(self) -> bool:
        """Whether nothing is missing."""
        return len(self.found) == self.asked


def population_for(queue: Queue | None, *, arrivals: float | None = None) -> Population:
    """Who comes to a queue, or to a new one; `arrivals` in tickets a second, None: as they came lately.

    Measured once in five minutes: so the same question stays the same one while its answer is computed.
    """
    if queue is None or queue.pk is None:
        population = Population()
    else:
        key = f"preview:{_FORMAT}:population:{queue.pk}"
        population = cache.get(key) or population_of(queue)
        cache.add(key, population, _POPULATION_SECONDS)
    return population if arrivals is None else replace(population, arrivals=arrivals)


def ask(queue: Queue, population: Population) -> str:
    """Let a worker simulate a queue with the settings it has, saved or not; answer the name of the question."""
    plan = PairingContext.of(queue).plan
    system = plan.system and (plan.system.name, plan.system.parameters)
    said = repr((replace(plan, system=None, extra=()), system, population))
    name = hashlib.sha256(said.encode()).hexdigest()
    columns = {column: getattr(queue, column) for column in _COLUMNS}
    cache.set(_key("question", name), _Question(columns, population, clock.now()), _KEPT_SECONDS)
    answered = cache.get(_key("answer", name))
    if answered == _FAILED:
        cache.delete_many([_key("answer", name), _key("woken", name)])
    if answered in (None, _FAILED):
        _wake(name)
    return name


def ask_for_strategies(queue: Queue, population: Population) -> dict[str, str]:
    """The same for every strategy with the queue's other settings: names of the questions, by strategy."""
    columns = {column: getattr(queue, column) for column in _COLUMNS}
    return {
        strategy: ask(Queue(**{**columns, "strategy": strategy}), population)
        for strategy in STRATEGIES
    }


def look(asked: Mapping[str, str]) -> PreviewProgress:
    """What came of questions of one population, at least one, by any names. A worker is woken again if need be.

    Raises NoPreviewError.
    """
    names = asked.values()
    kept = cache.get_many([_key(kind, name) for kind in ("question", "answer") for name in names])
    questions = [kept[key] for key in (_key("question", name) for name in names) if key in kept]
    answers = {label: kept.get(_key("answer", name)) for label, name in asked.items()}
    if _FAILED in answers.values():
        raise NoPreviewError(_("The simulation failed. The worker's log says why."))
    if not questions or len(questions) < len(asked):
        raise NoPreviewError(_("This simulation is no longer available. Run it again."))
    for label, name in asked.items():
        if answers[label] is None:
            _wake(name)
    return PreviewProgress(
        found={label: found for label, found in answers.items() if found is not None},
        asked=len(asked),
        population=questions[0].population,
        waited=(clock.now() - max(one.asked_at for one in questions)).total_seconds(),
    )


def answer(name: str) -> None:
    """Simulate what the question of this name asks. Nothing happens where it is answered or forgotten."""
    question: _Question | None = cache.get(_key("question", name))
    if question is None or cache.get(_key("answer", name)) is not None:
        return
    try:
        plan = PairingContext.of(Queue(**question.columns)).plan
        found = preview(plan, question.population, budget_seconds=BUDGET)
    except Exception:
        cache.set(_key("answer", name), _FAILED, _CUT_SECONDS)
        raise
    cache.set(_key("answer", name), found, _CUT_SECONDS if found.is_cut else _KEPT_SECONDS)


def _key(kind: str, name: str) -> str:
    return f"preview:{_FORMAT}:{kind}:{name}"


def _wake(name: str) -> None:
    """Send a worker to the question, if none has been sent lately."""
    if not cache.add(_key("woken", name), True, _PATIENCE):
        return
    task = task_named("matchmaking.simulate_preview")
    try:
        task.apply_async((name,), retry=False, expires=_PATIENCE)
    except task.OperationalError as error:  # whoever waits is told, and asks again
        log.warning("wake-up not sent", task=task.name, error=str(error))
