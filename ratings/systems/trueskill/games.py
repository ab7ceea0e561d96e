"""Duels and contests, seen alike: rows of players, and what a result tells of each of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ratings.systems.arrays import Bools, Floats, Ints
from ratings.systems.changes import Sides
from ratings.systems.counting import games_played
from ratings.systems.results import Duels
from ratings.systems.trueskill.parameters import TrueSkillParameters
from ratings.systems.trueskill.prediction import expect, margin_per_root
from ratings.systems.trueskill.two_teams import StepAndDrop, settle_two

__all__ = ["DuelGames", "Games", "Picked", "PickedDuels"]

# What moves the first player up moves the second one down.
_BOTH_SIDES = np.array([[1.0], [-1.0]])


class Picked(Protocol):
    """Some games that can be computed together: duels, or contests of one number of teams.

    What is given and returned of them has one entry a row, in the order and the shape of `players`.
    """

    @property
    def players(self) -> Ints:
        """Whose rows they are: positions in the table."""

    @property
    def rows(self) -> Ints:
        """Positions of the rows among those of all games."""

    def settle(self, value: Floats, variance: Floats) -> StepAndDrop:
        """(step, drop): a row moves by variance · step and loses variance² · drop."""

    def expect(self, value: Floats, variance: Floats) -> tuple[Floats, Floats]:
        """The score expected of the row's team, and points a surprise of one deviation is worth."""

    def faces(self, established: Bools) -> Bools:
        """Whether an established player is on another team; `established` says who is."""


class Games(Protocol):
    """m games of r rows in all, a row for each player of each game.

    starts   int64, length m + 1: the first row of each game, and r
    players  int64, length r: positions in the table
    """

    @property
    def starts(self) -> Ints: ...

    @property
    def players(self) -> Ints: ...

    def count(self, n: int) -> Ints:
        """How many of the games each of n players played."""

    def pick(self, games: Ints) -> Sequence[Picked]:
        """Games at some positions, in parts that can each be computed together."""

    def sides(self) -> Sides:
        """Every row, in order, with the score that its team reached."""


class DuelGames:
    """Games of one against one."""

    def __init__(self, parameters: TrueSkillParameters, duels: Duels) -> None:
        self.duels = duels
        self.pairs = np.stack((duels.first, duels.second))
        self.outcome = duels.score - 0.5
        np.sign(self.outcome, out=self.outcome)
        self.margin = np.asarray(margin_per_root(parameters) * np.sqrt(2.0))
        self.noise = 2 * parameters.beta * parameters.beta

    @property
    def starts(self) -> Ints:
        return np.arange(0, 2 * len(self.duels) + 1, 2)

    @property
    def players(self) -> Ints:
        return self.pairs.T.ravel()

    def count(self, n: int) -> Ints:
        return games_played(self.duels, n)

    def pick(self, games: Ints) -> Sequence["PickedDuels"]:
        return [PickedDuels(self, games, self.pairs.take(games, axis=1))]

    def sides(self) -> Sides:
        return Sides(
            np.repeat(np.arange(len(self.outcome)), 2),
            self.players,
            self.pairs[::-1].T.ravel(),
            np.stack((1 + self.outcome, 1 - self.outcome), axis=1).ravel() / 2,
        )


@dataclass(frozen=True, slots=True, eq=False)
class PickedDuels:
    """Some duels: rows in the shape (2, w), first players first."""

    source: DuelGames
    games: Ints
    players: Ints

    @property
    def rows(self) -> Ints:
        rows: Ints = 2 * self.games + np.array([[0], [1]])
        return rows

    def settle(self, value: Floats, variance: Floats) -> StepAndDrop:
        source = self.source
        both = variance[0] + variance[1] + source.noise
        outcome = source.outcome.take(self.games)
        step, drop = settle_two(value[0] - value[1], both, source.margin, outcome)
        return _BOTH_SIDES * step, drop

    def expect(self, value: Floats, variance: Floats) -> tuple[Floats, Floats]:
        both = variance[0] + variance[1] + self.source.noise
        first = expect(value[0] - value[1], both, self.source.margin)
        return np.stack((first, 1 - first)), variance / np.sqrt(both)

    def faces(self, established: Bools) -> Bools:
        return established[::-1]
