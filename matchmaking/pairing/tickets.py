"""Waiting tickets as arrays."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from matchmaking.pairing.model.seats import Seats
from matchmaking.pairing.model.ties import Ties
from ratings.systems.arrays import Bools, Floats, Ints

__all__ = ["Tickets"]

_LARGEST_RATING = 1e9


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Tickets:
    """n tickets, in any order, of one player or of a party each; every array has length n.

    id         int64, the ticket's own number; of two that waited equally long the lower is older
    player     int64, who waits; of a party its leader
    rating     float64, rating points; of a party what it counts for
    deviation  float64, rating points; nan where the ladder's system has none
    waited     float64, seconds since the search began, 0 or more
    traits     further columns by name, of which the first dimension is n: what conditions read
    ties       what stands between two tickets, by name
    seats      the players of all tickets; left out where each ticket has one

    Raises ValueError, naming the ticket, when lengths differ, a figure is not finite or out of its
    range, or an id or a player is there twice.
    """

    id: Ints
    player: Ints
    rating: Floats
    deviation: Floats
    waited: Floats
    traits: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    ties: Mapping[str, Ties] = field(default_factory=dict)
    seats: Seats = None  # type: ignore[assignment]  # one for each ticket when left out

    def __post_init__(self) -> None:
        for name in ("id", "player"):
            object.__setattr__(self, name, _whole(name, getattr(self, name)))
        for name in ("rating", "deviation", "waited"):
            column = np.asarray(getattr(self, name), dtype=np.float64)
            object.__setattr__(self, name, column)
        self._check_lengths()
        self._check_once("id")
        alone = Seats.alone(self.player, self.rating, self.deviation)
        object.__setattr__(self, "seats", alone if self.seats is None else self.seats)
        self._check_once("player")
        self._check_further()
        fits = np.abs(self.rating) <= _LARGEST_RATING  # written so that nan fails too
        self._check("rating", fits, f"must be a number of at most {_LARGEST_RATING:g} points")
        spread = np.isnan(self.deviation) | ((self.deviation >= 0) & np.isfinite(self.deviation))
        self._check("deviation", spread, "must be 0 or more, or nan for none")
        since = (self.waited >= 0) & np.isfinite(self.waited)
        self._check("waited", since, "must be 0 or more seconds")

    def __len__(self) -> int:
        return len(self.id)

    def by_age(self) -> Ints:
        """Positions of the tickets, who has waited longest first."""
        return np.lexsort((self.id, -self.waited))

    def _check_lengths(self) -> None:
        for name in ("id", "player", "rating", "deviation", "waited"):
            shape = getattr(self, name).shape
            if len(shape) != 1 or shape != self.id.shape:
                raise ValueError(
                    f"{name} has shape {shape} and id {self.id.shape}: "
                    "columns must be one-dimensional and equally long"
                )

    def _check_further(self) -> None:
        """Traits and seats are of these tickets."""
        for name, column in self.traits.items():
            if len(column) != len(self):
                raise ValueError(
                    f"trait {name} has length {len(column)}: must be {len(self)}, one a ticket"
                )
        if not np.array_equal(np.unique(self.seats.ticket), np.arange(len(self))):
            raise ValueError(f"seats must hold players of each of the {len(self)} tickets")

    def _check_once(self, name: str) -> None:
        column = np.sort(getattr(self, name))
        if (again := np.flatnonzero(column[1:] == column[:-1])).size:
            raise ValueError(f"{name} {column[again[0]]} is there twice: must be there once")

    def _check(self, name: str, is_right: Bools, expected: str) -> None:
        if not is_right.all():
            wrong = np.flatnonzero(~is_right)[0]
            value = getattr(self, name)[wrong]
            raise ValueError(f"ticket {self.id[wrong]}: {name} is {value}: {expected}")


def _whole(name: str, given: Ints) -> Ints:
    array = np.asarray(given)
    if array.size and array.dtype.kind not in "iu":
        raise ValueError(f"{name} is of type {array.dtype}: must be whole numbers")
    return array.astype(np.int64, copy=False)
