"""How long a search takes, from those that found a match lately."""

from dataclasses import dataclass

__all__ = ["Estimate", "estimate"]


@dataclass(frozen=True, slots=True)
class Estimate:
    """Seconds from joining to the match: half of the searches were shorter than `median`, nine in ten than `p90`.

    Both are None where too few searches are known; `searches` says how many went in.
    """

    median: float | None
    p90: float | None
    searches: int


def estimate(queue_id: int) -> Estimate:
    """Estimate the wait in a queue."""
    raise NotImplementedError
