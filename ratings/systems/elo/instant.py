"""What Elo and its kin have in common when each duel is an event of its own."""

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from ratings.systems.base import only_duels
from ratings.systems.changes import Changes
from ratings.systems.counting import games_played
from ratings.systems.elo.table import Journal, Table
from ratings.systems.points import PointsSystem
from ratings.systems.protocol import Results
from ratings.systems.results import Duels
from ratings.systems.state import Ratings
from ratings.systems.waves import Stream, play_in_waves

__all__ = ["DuelSystem"]


@dataclass(frozen=True, slots=True)
class DuelSystem(PointsSystem):
    """A `System` of points that plays duels into a `Table`; `stream` makes it one of two."""

    @abstractmethod
    def stream(
        self, table: Table, duels: Duels, *, all_count: bool, journal: Journal | None
    ) -> Stream:
        """These duels, to be played into `table` and, if given, `journal`."""

    def rate(self, ratings: Ratings, results: Results, *, all_count: bool = False) -> Ratings:
        return self._play(ratings, only_duels(results, system=self.name), all_count, None)

    def rate_explained(
        self, ratings: Ratings, results: Results, *, all_count: bool = False
    ) -> tuple[Ratings, Changes]:
        duels = only_duels(results, system=self.name)
        journal = Journal.blank(len(duels))
        after = self._play(ratings, duels, all_count, journal)
        return after, journal.explain(duels)

    def _play(
        self, ratings: Ratings, duels: Duels, all_count: bool, journal: Journal | None
    ) -> Ratings:
        duels.check_players(len(ratings))
        table = Table.of(ratings)
        stream = self.stream(table, duels, all_count=all_count, journal=journal)
        with np.errstate(over="ignore"):  # an infinite difference is sure to win
            play_in_waves(stream, duels.first, duels.second)
        games = ratings.games + games_played(duels, len(ratings))
        return Ratings(table.value, None, None, games, table.counted)
