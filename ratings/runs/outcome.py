"""What a run is about to write."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from ratings.runs.state import State

__all__ = ["Outcome", "PeriodRow"]


@dataclass(frozen=True, slots=True)
class PeriodRow:
    """A closed period in which matches counted."""

    number: int
    version_id: int
    first_seq: int
    last_seq: int
    games: int
    players: int
    new_players: int
    mean: float
    spread: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """Ratings, ledger and position after a chunk.

    ledger  columns of one length, named as in RatingChange; `cause` is a match's id or a period's number,
            `player` an id, moments are int64 microseconds since 2000
    """

    matches: int
    state: State
    ledger: Mapping[str, NDArray[Any]]
    periods: tuple[PeriodRow, ...]
    rated_seq: int
    closed_periods: int
    pool_grown_from: int | None

    @property
    def players(self) -> int:
        """How many ratings the chunk changed."""
        return int(self.state.touched.sum())
