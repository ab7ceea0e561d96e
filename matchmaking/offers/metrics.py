"""What is counted for the operator, once it has been committed."""

from collections.abc import Iterable

from foundation.metrics import OFFERS, WAIT_SECONDS
from foundation.postgresql.transactions import after_commit

__all__ = ["count_offers", "note_waits"]


def count_offers(queue: str, event: str, number: int = 1) -> None:
    """Count offers of a queue (its slug) that were made, accepted, declined, have expired or failed."""
    if number:
        after_commit(OFFERS.labels(queue, event).inc, number)


def note_waits(queue: str, seconds: Iterable[float]) -> None:
    """Note how long those waited who have found a match."""
    after_commit(_observe, queue, list(seconds))


def _observe(queue: str, seconds: list[float]) -> None:
    histogram = WAIT_SECONDS.labels(queue)
    for wait in seconds:
        histogram.observe(max(wait, 0.0))
