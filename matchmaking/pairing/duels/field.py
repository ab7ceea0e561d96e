"""What the steps of pairing ask of the tickets: who accepts whom, and at what cost."""

from typing import Protocol

from ratings.systems.arrays import Bools, Floats, Ints

__all__ = ["Field"]


class Field(Protocol):
    """n places in ascending order of rating; places are int64, pairs of them (m, 2)."""

    @property
    def rank(self) -> Ints:
        """int64, length n: 0 for whoever has waited longest."""

    def __len__(self) -> int: ...

    def allows(self, one: Ints, other: Ints) -> Bools:
        """Whether each `one` and `other` accept each other; places, which must differ."""

    def gap(self, one: Ints, other: Ints) -> Floats:
        """What a pair dislikes in each other, 0 or more, however long they have waited."""

    def cost(self, one: Ints, other: Ints) -> Floats:
        """`gap`, less what both have earned by waiting; the lowest is the best."""

    def nearest(self, free: Ints) -> Ints:
        """Pairs of `free` places, in ascending order, that accept each other: few, the nearest.

        None only if no two of them accept each other, however far apart.
        """

    def around(self, places: Ints) -> Ints:
        """Each of `places` with those who accept it and whom it accepts; of very many the nearest."""

    def outlasting(self, calls: Ints, free: Ints, partner: Ints) -> Ints:
        """Each of `free` with everyone of mutual acceptance whose partner has waited less.

        calls  what `around` has given for `free`
        """
