"""What stands between two tickets: few pairs of many, each with a figure."""

from dataclasses import dataclass

import numpy as np

from ratings.systems.arrays import Floats, Ints

__all__ = ["Ties"]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Ties:
    """t pairs of tickets, as positions, that have to do with each other; every array has length t.

    one, other  int64; a pair counts in both directions and may stand in either
    value       float64, what the tie is worth: its meaning is the condition's that reads it

    Of a pair that is there several times the highest value counts. Raises ValueError when lengths
    differ or a ticket is tied to itself.
    """

    one: Ints
    other: Ints
    value: Floats

    def __post_init__(self) -> None:
        one, other = (np.asarray(ends, dtype=np.int64) for ends in (self.one, self.other))
        value = np.asarray(self.value, dtype=np.float64)
        if not one.shape == other.shape == value.shape or one.ndim != 1:
            raise ValueError(
                f"one has shape {one.shape}, other {other.shape}, value {value.shape}: "
                "columns must be one-dimensional and equally long"
            )
        if (alone := np.flatnonzero(one == other)).size:
            raise ValueError(f"ticket {one[alone[0]]} is tied to itself: two tickets make a tie")
        low, high = np.minimum(one, other), np.maximum(one, other)
        order = np.lexsort((-value, high, low))
        for name, column in (("one", low), ("other", high), ("value", value)):
            object.__setattr__(self, name, column[order])

    def __len__(self) -> int:
        return len(self.one)

    def between(self, one: Ints, other: Ints) -> Floats:
        """The figure of each pair, nan for those that are not tied."""
        found = np.full(len(one), np.nan)
        if len(self):
            wanted = _key(np.minimum(one, other), np.maximum(one, other))
            keys = _key(self.one, self.other)
            place = np.searchsorted(keys, wanted)
            known = keys.take(place, mode="clip") == wanted
            found[known] = self.value[place[known]]
        return found


def _key(low: Ints, high: Ints) -> Ints:
    """One number for a pair of positions: there are never 2^31 tickets."""
    key: Ints = low << 32 | high
    return key
