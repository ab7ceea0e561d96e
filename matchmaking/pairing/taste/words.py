"""What players have said of each other, as arrays."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from ratings.systems.arrays import Bools, Floats, Ints

__all__ = ["TAGS", "Words"]

TAGS = 6  # how many kinds of tags there are


@dataclass(frozen=True, eq=False, kw_only=True)
class Words:
    """m words, of each ordered pair one at most, among players numbered from 0; every array has length m.

    players          how many there are
    author, subject  int64, below `players`
    liked            bool
    tags             float64 (m, TAGS), 1 where a tag was given; left out: none was

    Raises ValueError when lengths differ, a number is out of range, or somebody speaks of themselves.
    """

    players: int
    author: Ints
    subject: Ints
    liked: Bools
    tags: Floats | None = None

    def __post_init__(self) -> None:
        lengths = {len(self.author), len(self.subject), len(self.liked), len(self.tagged)}
        if len(lengths) > 1:
            raise ValueError(f"columns have lengths {sorted(lengths)}: must be equally long")
        for name in ("author", "subject"):
            column = getattr(self, name)
            if len(column) and not (column.min() >= 0 and column.max() < self.players):
                raise ValueError(f"{name} must be from 0 to {self.players - 1}")
        if (self.author == self.subject).any():
            raise ValueError("author and subject must be two players")

    def __len__(self) -> int:
        return len(self.author)

    @cached_property
    def tagged(self) -> Floats:
        """The tags, also where none was given."""
        return np.zeros((len(self.author), TAGS)) if self.tags is None else self.tags

    @property
    def sign(self) -> Floats:
        """1 for yes, -1 for no."""
        return np.where(self.liked, 1.0, -1.0)

    @cached_property
    def signed(self) -> sparse.csr_array:
        """(players, players): 1 where the row likes the column, -1 where it does not."""
        return self._matrix(self.sign)

    @cached_property
    def likes(self) -> sparse.csr_array:
        """(players, players): 1 where the row likes the column."""
        return self._matrix(self.liked.astype(np.float64))

    def chosen(self, rows: Ints | Bools) -> "Words":
        """These words alone, of the same players."""
        return Words(
            players=self.players,
            author=self.author[rows],
            subject=self.subject[rows],
            liked=self.liked[rows],
            tags=self.tagged[rows],
        )

    def _matrix(self, value: Floats) -> sparse.csr_array:
        shape = (self.players, self.players)
        found = sparse.csr_array((value, (self.author, self.subject)), shape=shape)
        found.eliminate_zeros()
        return found
