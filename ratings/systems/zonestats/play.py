"""Contests and the figures of players that they change."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from ratings.systems.arrays import Floats, Ints, Statuses
from ratings.systems.changes import Changes
from ratings.systems.contest_waves import find_waves, stretches
from ratings.systems.contests import Contests
from ratings.systems.state import Ratings, Status, status_by_games
from ratings.systems.zonestats.field import Field
from ratings.systems.zonestats.offsets import Offsets, offsets_of
from ratings.systems.zonestats.pairs import pairs_of
from ratings.systems.zonestats.parameters import ZoneStatsParameters

__all__ = ["ZoneStatsJournal", "play"]


@dataclass(frozen=True, slots=True, eq=False)
class ZoneStatsJournal:
    """What r rows did: figures float64 of shape (r, 6): expected, actual, weight, points, value
    before and after; status int8 of length r: before.
    """

    figures: Floats
    status: Statuses

    @classmethod
    def blank(cls, rows: int) -> Self:
        return cls(np.empty((rows, 6)), np.empty(rows, dtype=np.int8))

    def note(
        self, rows: Ints, offsets: Offsets, before: Floats, after: Floats, status: Statuses
    ) -> None:
        """Write down what contests did to these rows."""
        figures = (offsets.expected, offsets.actual, offsets.weight, offsets.points, before, after)
        self.figures[rows] = np.stack(figures, axis=1)
        self.status[rows] = status

    def explain(self, contests: Contests) -> Changes:
        """The rows as `Changes`; one row a player of each contest."""
        begins = np.diff(contests.contest, prepend=-1) != 0
        side = np.cumsum(begins | (np.diff(contests.team, prepend=-1) != 0)) - 1
        # Where a row has one opponent only, all players but those of its own side are that one.
        opposing, player = np.zeros((2, len(side)), dtype=np.int64)
        for group, sign in ((contests.contest, 1), (side, -1)):
            sums = np.zeros(len(side), dtype=np.int64)
            np.add.at(sums, group, contests.player)
            opposing += sign * np.bincount(group)[group]
            player += sign * sums[group]
        expected, actual, weight, points, before, after = self.figures.T.copy()
        return Changes(
            game=contests.contest,
            player=contests.player,
            opponent=np.where(opposing == 1, player, -1),
            expected=expected,
            actual=actual,
            weight=weight,
            contribution=points,
            value_before=before,
            value_after=after,
            status_before=self.status,
        )


def play(
    parameters: ZoneStatsParameters,
    before: Ratings,
    contests: Contests,
    *,
    at_once: bool,
    all_count: bool,
    journal: ZoneStatsJournal | None = None,
) -> Ratings:
    """Rate all contests at once; or each as an event of its own, in their order: waves of contests share no player."""
    field, after = Field.of(contests), before.copy()
    if at_once:
        rows = np.arange(len(field.player))
        return _play(parameters, after, field, rows, all_count, journal) if len(field) else after
    for wave in find_waves(field.starts, field.player):
        rows = stretches(field.starts[wave], field.sizes[wave])
        after = _play(parameters, after, field.take(wave, rows), rows, all_count, journal)
    return after


def _play(
    parameters: ZoneStatsParameters,
    table: Ratings,
    field: Field,
    rows: Ints,
    all_count: bool,
    journal: ZoneStatsJournal | None,
) -> Ratings:
    """Rate contests at once, writing into `table`, which is ours alone."""
    who = field.player
    before = table.value[who]
    status = status_by_games(table.games[who], table.counted[who], parameters.established_after)
    offsets = offsets_of(parameters, field, before)
    has_met = offsets.met > 0
    counts = has_met
    if not all_count:
        # Games count that met somebody established, for any time at all.
        counting = (status == Status.ESTABLISHED) & (field.minutes > 0)
        met = np.zeros(len(who), dtype=np.bool_)
        if counting.any():
            for pairs in pairs_of(field):
                met[pairs.low : pairs.high] = pairs.total(pairs.opposed * counting[pairs.other]) > 0
        counts = has_met & met
    np.add.at(table.value, who, offsets.points)
    np.add.at(table.games, who, has_met)
    np.add.at(table.counted, who, counts)
    if journal is not None:
        journal.note(rows, offsets, before, table.value[who], status)
    return table
