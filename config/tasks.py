"""Tasks of the project itself."""

from celery import shared_task
from django.core.cache import cache

from config.workers.task_queues import ALIVE_SECONDS, QUEUES, sign_of_life


@shared_task(name="config.heartbeat")
def heartbeat(queue: str) -> None:
    """Note that beat sent this through the queue and a worker ran it: `/health/workers` reads it."""
    cache.set(sign_of_life(queue), True, timeout=ALIVE_SECONDS)


def workers_alive() -> dict[str, bool]:
    """For each queue, whether a worker carried out one of beat's wake-ups in the last 45 seconds."""
    found = cache.get_many([sign_of_life(queue) for queue in QUEUES])
    return {queue: sign_of_life(queue) in found for queue in QUEUES}


@shared_task(name="config.back_up")
def back_up() -> None:
    """Write a backup where one is due. Correct when run never, once, twice or twice at once."""
    from config.backup.schedule import back_up_if_due  # needs the models

    back_up_if_due()


@shared_task(name="config.forget")
def forget() -> None:
    """Delete what need not be kept any longer, and open cases of what waits for moderators. Correct when run never,
    once, twice or twice at once.
    """
    from config.maintenance import retention  # needs the models
    from moderation.desk.cases import open_cases

    retention.forget()
    open_cases()  # also where no moderator looks: the metrics count them


@shared_task(name="config.begin_anew")
def begin_anew() -> None:
    """Let begin anew what a clock that ran ahead has begun. Correct when run never, once, twice or twice at once."""
    from foundation import timekeeping  # needs the models

    timekeeping.begin_anew()
