"""Wake-ups: telling the workers that something is due, without telling them a thousand times a second.

A wake-up that is lost does no harm: beat sends the same one every few seconds, and what is due is in the database.
"""

import time
from importlib import import_module
from typing import Any

import structlog
from celery import current_app

from foundation.cooldown import Cooldown

__all__ = ["task_named", "wake"]

log = structlog.get_logger(__name__)

_QUIET = 0.5  # seconds after a wake-up in which only one more is sent, for their end
_cooldown = Cooldown(2.0)  # whoever wakes has better things to do than to wait for the broker
_sent: dict[str, float] = {}
_follows: dict[str, float] = {}


def wake(name: str) -> None:
    """Send the Celery task of this name, without arguments, soon; many calls in a row are one.

    Never raises when the broker is away.
    """
    if _cooldown.is_on:
        return
    now = time.monotonic()
    if now - _sent.get(name, -_QUIET) >= _QUIET:
        _sent[name] = now
        _send(task_named(name), 0.0)
    elif _follows.get(name, 0.0) <= now:
        _follows[name] = now + _QUIET
        _send(task_named(name), _QUIET)


def task_named(name: str) -> Any:
    """The Celery task of this name, such as "ratings.rate_due_tracks", which stands in its application's `tasks`.

    By name, as a task imports what it does, and what it does may wake it.
    """
    import_module(f"{name.partition('.')[0]}.tasks")
    return current_app.tasks[name]


def _send(task: Any, countdown: float) -> None:
    try:
        task.apply_async(retry=False, expires=60, countdown=countdown or None)
    except task.OperationalError as error:
        _cooldown.begin()
        log.warning("wake-up not sent", task=task.name, error=str(error))
