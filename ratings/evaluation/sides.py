"""What the side of the first team is worth, from results and the ratings before each game. Pure: arrays in and out.

The side adds points to the ratings of the first team. The points that make the results most likely solve the score
equation: as much is expected of the first teams as they reached. That is exact for logistic curves, draws of Davidson
included, and holds in the points of any system whose expectation grows with the rating.
"""

from dataclasses import dataclass

import numpy as np

from ratings.systems import Contests, Ratings, System
from ratings.systems.arrays import Floats, Ints
from ratings.systems.contest_waves import stretches

__all__ = ["PRIOR_GAMES", "SidedGames", "points_by_ground", "points_of_side"]

# A ground begins with so many games that went as all others did; its own outweigh them one by one.
PRIOR_GAMES = 50
# No side is worth more than what makes equals win 99 of 100.
_MOST_EXPECTED = 0.99
_HALVINGS = 40


@dataclass(frozen=True, slots=True, eq=False)
class SidedGames:
    """n games of two teams, of r players in all, the first team on the side in question.

    starts     length n + 1: the first player of each game, and r
    team       length r: 0 for players of the first team, who stand before those of the other, 1
    value      length r, ratings before the game
    deviation  the same; None where the system has none
    weight     length r, the share of the game that each took part
    actual     length n, score of the first team
    """

    system: System
    starts: Ints
    team: Ints
    value: Floats
    deviation: Floats | None
    weight: Floats
    actual: Floats

    def __len__(self) -> int:
        return len(self.actual)

    def take(self, games: Ints) -> "SidedGames":
        """Return some of them, any of them as often as it is named."""
        sizes = np.diff(self.starts)[games]
        players = stretches(self.starts[games], sizes)
        return SidedGames(
            self.system,
            np.concatenate(([0], np.cumsum(sizes))),
            self.team[players],
            self.value[players],
            None if self.deviation is None else self.deviation[players],
            self.weight[players],
            self.actual[games],
        )

    def expect(self, points: Floats) -> Floats:
        """The score expected of each first team if its side is worth so many points to each of its players."""
        game = np.repeat(np.arange(len(self)), np.diff(self.starts))
        value = self.value + np.where(self.team == 0, points[game], 0.0)
        ratings = Ratings.without_games(value, self.deviation)
        first = self.starts[:-1]
        if len(value) == 2 * len(self):
            return self.system.expected(ratings, first, first + 1)
        contests = Contests(game, self.team, np.arange(len(value)), self.team, self.weight)
        return self.system.expected_of(ratings, contests)[first]


def points_of_side(games: SidedGames) -> float:
    """The worth of the first side in rating points, below 0 where it is the worse one. At least one game."""
    return float(_solve(games, np.zeros(len(games), dtype=np.int64), 1)[0])


def points_by_ground(games: SidedGames, ground: Ints, grounds: int, overall: float) -> Floats:
    """The worth on each ground, 0..grounds-1, where `ground` is that of each game.

    Each ground has, beside its own games, PRIOR_GAMES spread over all games, that went as `overall` lets expect.
    """
    sample = np.linspace(0, len(games) - 1, PRIOR_GAMES).astype(np.int64)
    usual = games.take(sample)
    prior = np.tile(sample, grounds)
    everything = games.take(np.concatenate((np.arange(len(games)), prior)))
    expected = np.tile(usual.expect(np.full(PRIOR_GAMES, overall)), grounds)
    everything.actual[len(games) :] = expected
    of_prior = np.repeat(np.arange(grounds), PRIOR_GAMES)
    return _solve(everything, np.concatenate((ground, of_prior)), grounds)


def _solve(games: SidedGames, group: Ints, groups: int) -> Floats:
    """Halve the range of each group until expected and reached score agree."""
    # The points with which one of two usual equals wins 99 of 100, by doubling.
    deviation = None if games.deviation is None else np.full(2, np.mean(games.deviation))
    equals = SidedGames(
        system=games.system,
        starts=np.array([0, 2]),
        team=np.array([0, 1]),
        value=np.full(2, np.mean(games.value)),
        deviation=deviation,
        weight=np.ones(2),
        actual=np.zeros(1),
    )
    limit = 1.0
    while limit < 2.0**20 and equals.expect(np.array([limit]))[0] < _MOST_EXPECTED:
        limit *= 2
    low, high = np.full(groups, -limit), np.full(groups, limit)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        missing = games.actual - games.expect(middle[group])
        is_above = np.bincount(group, missing, groups) > 0
        low, high = np.where(is_above, middle, low), np.where(is_above, high, middle)
    found: Floats = (low + high) / 2
    return found
