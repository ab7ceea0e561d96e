"""Wake-ups of matchmaking. Each finds its work in the database: correct when run never, once or twice.

So is what simulates for an operator, but it finds its question in the cache: with that goes nothing but the question.
"""

from celery import shared_task

from matchmaking import foresight, sweep

__all__ = ["foresee", "run_queue", "run_queues"]


@shared_task(name="matchmaking.run_queues")
def run_queues() -> None:
    """Wake a run for each queue that has work."""
    for queue_id in sweep.queues_with_work():
        run_queue.apply_async((queue_id,), retry=False, expires=2)


@shared_task(name="matchmaking.run_queue")
def run_queue(pk: int) -> None:
    """Close what is over in one queue, and pair who waits."""
    sweep.run_queue(pk)


@shared_task(name="matchmaking.foresee")
def foresee(name: str) -> None:
    """Simulate what an operator asks, see `matchmaking.foresight`."""
    foresight.answer(name)
