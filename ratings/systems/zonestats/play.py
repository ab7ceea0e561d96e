"""Contests and the figures of players that they change."""

import numpy as np

from ratings.systems.arrays import Ints
from ratings.systems.contest_journal import ContestJournal, RowFigures
from ratings.systems.contest_waves import find_waves, stretches
from ratings.systems.contests import Contests
from ratings.systems.state import Ratings, Status, status_by_games
from ratings.systems.zonestats.field import Field
from ratings.systems.zonestats.offsets import offsets_of
from ratings.systems.zonestats.pairs import pairs_of
from ratings.systems.zonestats.parameters import ZoneStatsParameters

__all__ = ["play"]


def play(
    parameters: ZoneStatsParameters,
    before: Ratings,
    contests: Contests,
    *,
    at_once: bool,
    all_count: bool,
    journal: ContestJournal | None = None,
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
    journal: ContestJournal | None,
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
    moved = who[has_met]
    table.value[moved] = np.maximum(table.value[moved], parameters.floor)
    np.add.at(table.games, who, has_met)
    np.add.at(table.counted, who, counts)
    if journal is not None:
        figures = offsets.expected, offsets.actual, offsets.weight, offsets.points
        journal.note(rows, RowFigures(*figures, before, table.value[who]), status)
    return table
