"""How likely teams are to beat each other."""

import numpy as np
import scipy  # loads its parts when they are first used: most processes use none

from ratings.systems.arrays import Floats
from ratings.systems.trueskill.parameters import TrueSkillParameters
from ratings.systems.trueskill.two_teams import FURTHEST

__all__ = ["expect", "expect_teams", "margin_per_root"]


def margin_per_root(parameters: TrueSkillParameters) -> float:
    """The margin of a draw among n players in all is √n times this: equals draw as often as said."""
    share = (parameters.draw_probability + 1) / 2
    return float(scipy.special.ndtri(share)) * parameters.beta


def expect(ahead: Floats, variance: Floats, margin: Floats) -> Floats:
    """The probability of winning and half that of drawing; seen from both sides they sum to 1.

    ahead     mean performance less that of the opponent
    variance  of that difference, above 0
    """
    spread = np.sqrt(variance)
    t = np.clip(ahead / spread, -FURTHEST, FURTHEST)
    expected: Floats = (
        scipy.special.ndtr(t - margin / spread) + scipy.special.ndtr(t + margin / spread)
    ) / 2
    return expected


def expect_teams(mean: Floats, variance: Floats, sizes: Floats, unit: float) -> Floats:
    """Of each of k teams in n contests, the mean score expected against the others: shape (n, k).

    mean, variance  (n, k), of the performance of each team
    sizes           (n, k), players in each team
    unit            `margin_per_root`
    """
    teams = mean.shape[1]
    expected = np.empty(mean.shape)
    for team in range(teams):
        one = slice(team, team + 1)
        margin = unit * np.sqrt(sizes[:, one] + sizes)
        against = expect(mean[:, one] - mean, variance[:, one] + variance, margin)
        # Against itself a team is expected to reach exactly a half.
        expected[:, team] = (against.sum(axis=1) - 0.5) / (teams - 1)
    return expected
