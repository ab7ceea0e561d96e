"""Tasks of the project itself."""

from celery import shared_task
from django.core.cache import cache

BEAT_KEY = "beat-heartbeat"


@shared_task(name="config.heartbeat")
def heartbeat() -> None:
    """Note that beat sent and a worker ran: `/health/workers` reads it."""
    cache.set(BEAT_KEY, True, timeout=45)
