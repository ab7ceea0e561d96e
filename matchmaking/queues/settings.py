"""What an operator has chosen for a queue, as everything that runs it reads it."""

import structlog

from matchmaking.models import Queue
from matchmaking.pairing.settings import Settings

__all__ = ["settings_of", "unreadable"]

log = structlog.get_logger(__name__)


def settings_of(queue: Queue) -> Settings:
    """Read the settings of a queue. A section that another version has stored otherwise is as by default.

    So nobody's search stops for it; the queue's form says what is wrong, and saving it mends it.
    """
    settings, wrong = Settings.read(queue.strategy, queue.settings)
    for error in wrong:
        log.error("queue.settings_unreadable", queue=queue.slug, reason=str(error))
    return settings


def unreadable(queue: Queue) -> list[str]:
    """What of the settings of a queue does not fit this version, and is as by default for now."""
    return [str(error) for error in Settings.read(queue.strategy, queue.settings)[1]]
