"""Strengths rebuilt from comparisons: by Elo, by Bradley and Terry, and by counting."""

from collections.abc import Sequence

import numpy as np
import scipy  # loads its parts when they are first used: every worker of a run reads this file

__all__ = ["Comparison", "bradley_terry", "correlation", "elo", "means"]

# Numbers of two players of whom the first did better.
Comparison = tuple[int, int]
_K = 24.0
_STEPS = 100


def elo(comparisons: Sequence[Comparison], players: int) -> np.ndarray:
    """Ratings after the comparisons, in their order."""
    ratings = [0.0] * players
    for better, worse in comparisons:
        expected = 1 / (1 + 10 ** ((ratings[worse] - ratings[better]) / 400))
        points = _K * (1 - expected)
        ratings[better] += points
        ratings[worse] -= points
    return np.array(ratings)


def bradley_terry(comparisons: Sequence[Comparison], players: int) -> np.ndarray:
    """Logarithms of strengths, most likely with one win and one loss more for everybody against an average player."""
    pairs = np.array(comparisons).reshape(-1, 2)
    wins = 1.0 + np.bincount(pairs[:, 0], minlength=players)
    strengths = np.ones(players)
    for _step in range(_STEPS):
        share = 1 / (strengths[pairs[:, 0]] + strengths[pairs[:, 1]])
        games = np.bincount(pairs.ravel(), np.repeat(share, 2), minlength=players)
        strengths = wins / (games + 2 / (strengths + 1))
    return np.log(strengths)


def means(figures: Sequence[tuple[int, float]], players: int) -> np.ndarray:
    """The mean figure of each player; those without one have the mean of all."""
    who = np.array([player for player, _ in figures])
    values = np.array([value for _, value in figures])
    counts = np.bincount(who, minlength=players)
    sums = np.bincount(who, values, minlength=players)
    return np.where(counts > 0, sums / np.maximum(counts, 1), values.mean())


def correlation(found: np.ndarray, hidden: Sequence[float]) -> float:
    """Spearman's, without its sign: who knows the order backwards knows it. 0 where nothing is told apart."""
    if np.ptp(found) == 0:
        return 0.0
    return abs(float(scipy.stats.spearmanr(found, hidden).statistic))
