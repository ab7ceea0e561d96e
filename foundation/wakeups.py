"""Wake-ups: telling the workers that something is due, without telling them a thousand times a second.

A wake-up that is lost does no harm: beat sends the same one every few seconds, and what is due is in the database.
"""

import time
from typing import Any

import structlog

__all__ = ["wake"]

log = structlog.get_logger(__name__)

_QUIET = 0.5  # seconds after a wake-up in which only one more is sent, for their end
_REST = 2.0  # seconds after a failure in which nothing is sent: whoever wakes has better things to do than to wait
_away_until = 0.0
_sent: dict[str, float] = {}
_follows: dict[str, float] = {}


def wake(task: Any) -> None:
    """Send a Celery task without arguments, soon; many calls in a row are one. Never raises when the broker is away."""
    now = time.monotonic()
    if now < _away_until:
        return
    if now - _sent.get(task.name, -_QUIET) >= _QUIET:
        _sent[task.name] = now
        _send(task, 0.0)
    elif _follows.get(task.name, 0.0) <= now:
        _follows[task.name] = now + _QUIET
        _send(task, _QUIET)


def _send(task: Any, countdown: float) -> None:
    global _away_until  # noqa: PLW0603 - of this process
    try:
        task.apply_async(retry=False, expires=60, countdown=countdown or None)
    except task.OperationalError as error:
        _away_until = time.monotonic() + _REST
        log.warning("wake-up not sent", task=task.name, error=str(error))
