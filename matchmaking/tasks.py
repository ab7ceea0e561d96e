"""Wake-ups of matchmaking. Each finds its work in the database: correct when run never, once or twice.

So is what simulates for an operator, but it finds its question in the cache: with that goes nothing but the question.
"""

from itertools import product

from celery import shared_task
from django.core.cache import cache

from matchmaking import archived
from matchmaking.alerts import over, send
from matchmaking.conduct import leaving
from matchmaking.feedback import learn
from matchmaking.preview import jobs
from matchmaking.rounds import hold
from matchmaking.sweep import run

__all__ = [
    "hold_rounds",
    "is_woken",
    "judge_absences",
    "learn_tastes",
    "run_queue",
    "run_queues",
    "tell_of_searches",
]

_WOKEN, _WOKEN_FOR = "queues-woken", 2  # seconds
_FURTHER_RUNS = (0.25, 0.5, 0.75)  # seconds after a wake-up


@shared_task(name="matchmaking.run_queues")
def run_queues() -> None:
    """Wake a run for each queue that has work, and end parties that no queue is left for.

    A queue that holds pairs back is run four times until the next wake-up: where many come, a second more or less of
    waiting is what it is about.
    """
    cache.set(_WOKEN, True, timeout=_WOKEN_FOR)
    for queue_id in run.queues_with_work():
        run_queue.apply_async((queue_id,), retry=False, expires=2)
    for queue_id, later in product(run.queues_that_hold(), _FURTHER_RUNS):
        run_queue.apply_async((queue_id,), retry=False, expires=2, countdown=later)
    archived.end_parties()


def is_woken() -> bool:
    """Whether queues have been woken within 2 seconds. If not, they count as woken for the next caller."""
    return not cache.add(_WOKEN, True, timeout=_WOKEN_FOR)


@shared_task(name="matchmaking.run_queue")
def run_queue(pk: int) -> None:
    """Close what is over in one queue, and pair who waits."""
    run.run_queue(pk)


@shared_task(name="matchmaking.judge_absences")
def judge_absences() -> None:
    """Judge who was away from a match and has not come back in time."""
    leaving.judge_absences()


@shared_task(name="matchmaking.learn_tastes")
def learn_tastes() -> None:
    """Learn anew from the feedback of the games in which something was said since the last time."""
    learn.learn_due()


@shared_task(name="matchmaking.simulate_preview")
def simulate_preview(name: str) -> None:
    """Simulate what an operator asks, see `matchmaking.preview.jobs`."""
    jobs.answer(name)


@shared_task(name="matchmaking.hold_rounds")
def hold_rounds() -> None:
    """Announce rounds at set times, remind of them and begin those that are due."""
    hold.announce_rounds()
    hold.remind()
    hold.hold_due_rounds()


@shared_task(name="matchmaking.tell_of_searches")
def tell_of_searches() -> None:
    """Tell players who want to know it that somebody searches, and no more of searches that are over."""
    send.tell_of_searches()
    over.mark_alerts_over()
