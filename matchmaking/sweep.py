"""The sweep: pairs the waiting tickets of a queue, and offers them their matches."""

from dataclasses import dataclass

__all__ = ["SweepReport", "queues_with_work", "run_queue"]


@dataclass(frozen=True, slots=True)
class SweepReport:
    """What one run of a queue did.

    claimed          False when another process is at it: then nothing was paired
    waiting          tickets that could have been paired
    offers, matches  made; matches only where the queue accepts by itself
    expired_offers, expired_tickets  closed because their time was over
    """

    queue_id: int
    claimed: bool
    waiting: int = 0
    offers: int = 0
    matches: int = 0
    expired_offers: int = 0
    expired_tickets: int = 0
    seconds: float = 0.0


def queues_with_work() -> list[int]:
    """Ids of the queues that have live tickets."""
    raise NotImplementedError


def run_queue(queue_id: int) -> SweepReport:
    """Close what is over, then pair who waits. Correct when killed anywhere, doubled, or run at once."""
    raise NotImplementedError
