"""Rank players by what they did to each other."""

from dataclasses import dataclass, replace

import numpy as np

from ratings.systems.arrays import Floats, Ints
from ratings.systems.static_ranking.matrix import FragMatrix, Pairs
from ratings.systems.static_ranking.solve import components_of, least_squares, shortcut

__all__ = ["SUICIDES", "Ranking", "rank"]

# Left out; a_ii / B_i taken off the result; or given to the opponents before anything is computed.
SUICIDES = ("ignore", "subtract", "share")


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """Every array has length n.

    value      float64: g_i - g_j is the difference of frags, as a share of them, expected of a pair;
               0 is the average of a component. Not bound to -1..1, where a chain of pairs is long.
    component  int64: players of different components cannot be compared; 0 is the largest
    met        int64: opponents met
    frags, deaths, suicides  int64
    misfit     root of the mean of (g_i - g_j - d_ij)² over the pairs that met, by their weight
    """

    value: Floats
    component: Ints
    met: Ints
    frags: Ints
    deaths: Ints
    suicides: Ints
    misfit: float

    def __len__(self) -> int:
        return len(self.value)

    @property
    def order(self) -> Ints:
        """Positions of the players: largest component first, best first in each; int64."""
        return np.lexsort((np.arange(len(self)), -self.value, self.component))


def rank(
    matrix: FragMatrix,
    *,
    weigh_by_frags: bool = False,
    suicides: str = "ignore",
    use_shortcut: bool = False,
) -> Ranking:
    """Rank by least squares, or by the source's shortcut for comparison.

    weigh_by_frags  a pair counts as much as it has frags, so that a chance 1:0 says little; each
                    pair counts alike without it, and in the shortcut always
    suicides        "ignore"; "subtract" a_ii / B_i from the result, after which a component's sum
                    is no longer 0; or "share" them among the opponents first

    Raises ValueError for another word.
    """
    if suicides not in SUICIDES:
        raise ValueError(f"suicides = {suicides!r}: must be one of {', '.join(SUICIDES)}")
    n, pairs = matrix.players, matrix.pairs()
    if suicides == "share":
        pairs = _share_out(matrix, pairs)
    component = components_of(pairs, n)
    weight = pairs.frags if weigh_by_frags and not use_shortcut else np.ones(len(pairs))
    value = shortcut(pairs, n) if use_shortcut else least_squares(pairs, component, weight)
    misfit = 0.0
    if len(pairs):
        error = value[pairs.first] - value[pairs.second] - pairs.difference
        misfit = float(np.sqrt(np.average(error * error, weights=weight)))
    if suicides == "subtract":
        # With B_i all frags that involve i.
        involved = matrix.kills + matrix.deaths + matrix.suicides
        value = value - matrix.suicides / np.maximum(involved, 1)
    met = np.bincount(pairs.first, minlength=n) + np.bincount(pairs.second, minlength=n)
    counts = (matrix.kills, matrix.deaths, matrix.suicides)
    return Ranking(value, component, met, *counts, misfit)


def _share_out(matrix: FragMatrix, pairs: Pairs) -> Pairs:
    """The pairs after each player's suicides became frags of the opponents on them.

    Each opponent gets their share of the frags between the player and all others; who
    met nobody keeps the suicides.
    """
    n, frags = matrix.players, pairs.frags
    met = np.bincount(pairs.first, weights=frags, minlength=n) + np.bincount(
        pairs.second, weights=frags, minlength=n
    )
    a_frag = matrix.suicides / np.where(met > 0, met, 1.0)
    return replace(
        pairs,
        won=pairs.won + a_frag[pairs.second] * frags,
        lost=pairs.lost + a_frag[pairs.first] * frags,
    )
