"""Wake-ups: telling the workers that something is due, without telling them a thousand times a second.

A wake-up that is lost does no harm: beat sends the same one every few seconds, and what is due is in the database.
"""

import time
from typing import Any

import structlog

__all__ = ["wake"]

log = structlog.get_logger(__name__)

_QUIET = 0.5  # seconds after a wake-up in which only one more is sent, for their end
_sent: dict[str, float] = {}
_follows: dict[str, float] = {}


def wake(task: Any) -> None:
    """Send a Celery task without arguments, soon; many calls in a row are one. Never raises when the broker is away."""
    now = time.monotonic()
    if now - _sent.get(task.name, -_QUIET) >= _QUIET:
        _sent[task.name] = now
        _send(task, 0.0)
    elif _follows.get(task.name, 0.0) <= now:
        _follows[task.name] = now + _QUIET
        _send(task, _QUIET)


def _send(task: Any, countdown: float) -> None:
    try:
        task.apply_async(retry=False, expires=60, countdown=countdown or None)
    except task.OperationalError as error:
        log.warning("wake-up not sent", task=task.name, error=str(error))
