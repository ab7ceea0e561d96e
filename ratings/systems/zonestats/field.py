"""Who was in a contest, for how long and with what score: all that ZoneStats looks at."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from ratings.systems.arrays import Floats, Ints
from ratings.systems.contests import Contests

__all__ = ["Field"]


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """m contests of r rows in all. starts: int64, length m + 1; the others have length r."""

    starts: Ints
    team: Ints
    player: Ints
    score: Floats
    minutes: Floats

    @classmethod
    def of(cls, contests: Contests) -> Self:
        """Raises ValueError when the contests lack scores or minutes."""
        missing = [name for name in ("score", "minutes") if getattr(contests, name) is None]
        if contests.score is None or contests.minutes is None:
            raise ValueError(
                f"these contests have no {' and no '.join(missing)}: zonestats needs both"
            )
        return cls(
            contests.starts, contests.team, contests.player, contests.score, contests.minutes
        )

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def sizes(self) -> Ints:
        """int64, length m: the rows of each contest."""
        return np.diff(self.starts)

    def take(self, contests: Ints, rows: Ints) -> "Field":
        """Some contests, one or more; `rows` are all their rows, contest by contest."""
        starts = np.concatenate(([0], np.cumsum(self.sizes[contests])))
        return Field(
            starts, self.team[rows], self.player[rows], self.score[rows], self.minutes[rows]
        )
