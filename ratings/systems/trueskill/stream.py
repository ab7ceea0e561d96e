"""TrueSkill games one after the other, in waves of games that share no player."""

import math
from collections.abc import Iterable

import numpy as np

from ratings.systems.arrays import Bools, Floats, Ints
from ratings.systems.contest_waves import find_waves
from ratings.systems.trueskill.games import DuelGames, Games, Picked, PickedDuels
from ratings.systems.trueskill.parameters import TrueSkillParameters
from ratings.systems.trueskill.table import Table, TrueSkillJournal, find_established, statuses
from ratings.systems.trueskill.two_teams import settle_one
from ratings.systems.waves import play_in_waves

__all__ = ["Stream", "settled_deviation"]


def settled_deviation(parameters: TrueSkillParameters, variance: Floats) -> Floats:
    """The deviation of a variance, which a rounding error may have put below 0."""
    deviation: Floats = np.maximum(variance, 0.0)
    np.sqrt(deviation, out=deviation)
    return np.maximum(deviation, parameters.deviation_min, out=deviation)


class Stream:
    """The games and the figures they change."""

    def __init__(
        self,
        parameters: TrueSkillParameters,
        table: Table,
        games: Games,
        *,
        all_count: bool,
        journal: TrueSkillJournal | None = None,
    ) -> None:
        self.parameters = parameters
        self.growth = parameters.tau * parameters.tau
        self.table = table
        self.games = games
        self.all_count = all_count
        self.journal = journal

    def play(self) -> None:
        """Play every game in the order given, writing into the table and, if given, the journal."""
        if isinstance(self.games, DuelGames):
            play_in_waves(self, *self.games.pairs)
            return
        for wave in find_waves(self.games.starts, self.games.players):
            for picked in self.games.pick(wave):
                self._play(picked)

    def play_wave(self, games: Ints, players: Ints) -> None:
        """Play games of one against one of which no two share a player."""
        if isinstance(self.games, DuelGames):
            self._play(PickedDuels(self.games, games, players))

    def play_one_by_one(self, games: Ints, players: Ints) -> None:
        """Play games of one against one in the order given."""
        if self.journal is None and isinstance(self.games, DuelGames):
            who, where = np.unique(players, return_inverse=True)
            table = self.table
            value, deviation = table.value[who].tolist(), table.deviation[who].tolist()
            running = value, deviation, table.counted[who].tolist()
            pairs, outcome = where.reshape(players.shape), self.games.outcome.take(games)
            columns = (pairs[0], pairs[1], outcome)
            rows = zip(*(column.tolist() for column in columns), strict=True)
            margin = float(self.games.margin)
            play_in_order(self.parameters, running, rows, margin, all_count=self.all_count)
            table.value[who], table.deviation[who], table.counted[who] = running
            return
        for wave in find_waves(np.arange(0, players.size + 1, 2), players.T.ravel()):
            self.play_wave(games[wave], players[:, wave])

    def _play(self, picked: Picked) -> None:
        table, players = self.table, picked.players
        value, deviation = table.value.take(players), table.deviation.take(players)
        variance = deviation * deviation
        variance += self.growth
        step, drop = picked.settle(value, variance)
        after = variance * step
        after += value
        left = variance * drop
        np.subtract(1.0, left, out=left)
        left *= variance
        left = settled_deviation(self.parameters, left)
        established = self._count(picked, deviation)
        if self.journal is not None:
            expected, gain = picked.expect(value, deviation * deviation)
            status = statuses(table.is_new.take(players), established)
            figures = (value, after, deviation, left, expected, gain, status)
            self.journal.write(picked.rows, figures)
            table.is_new[players] = False
        table.value[players], table.deviation[players] = after, left

    def _count(self, picked: Picked, deviation: Floats) -> Bools:
        """Count the games that count; who of their players was established before them."""
        counted = self.table.counted.take(picked.players)
        established = find_established(self.parameters, counted, deviation)
        if self.all_count:
            self.table.counted[picked.players] = counted + 1
        elif np.logical_or.reduce(established, axis=None):
            self.table.counted[picked.players] = counted + picked.faces(established)
        return established


def play_in_order(
    parameters: TrueSkillParameters,
    running: tuple[list[float], list[float], list[int]],
    games: Iterable[tuple[int, int, float]],
    margin: float,
    *,
    all_count: bool,
) -> None:
    """Play games (both players, outcome of the first) as waves do, the same to the bit.

    Writes into the lists `running`: the players' values, deviations, and games that count.
    """
    value, deviation, counted = running
    needed, limit = parameters.established_after, parameters.provisional_deviation
    noise, growth = 2 * parameters.beta * parameters.beta, parameters.tau * parameters.tau
    lowest = parameters.deviation_min
    for a, b, outcome in games:
        own, other = deviation[a], deviation[b]
        is_sure = counted[a] >= needed and own <= limit
        is_other_sure = counted[b] >= needed and other <= limit
        own, other = own * own + growth, other * other + growth
        step, drop = settle_one(value[a] - value[b], own + other + noise, margin, outcome)
        value[a] += own * step
        value[b] -= other * step
        deviation[a] = max(math.sqrt(max((1.0 - own * drop) * own, 0.0)), lowest)
        deviation[b] = max(math.sqrt(max((1.0 - other * drop) * other, 0.0)), lowest)
        counted[a] += all_count or is_other_sure
        counted[b] += all_count or is_sure
