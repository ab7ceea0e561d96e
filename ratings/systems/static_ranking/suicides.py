"""What becomes of suicides, which no pair holds."""

from dataclasses import replace

import numpy as np

from ratings.systems.arrays import Floats
from ratings.systems.static_ranking.matrix import FragMatrix, Pairs

__all__ = ["SUICIDES", "penalties", "share_out"]

# Left out; a_ii / B_i taken off the result; or given to the opponents before anything is computed.
SUICIDES = ("ignore", "subtract", "share")


def penalties(matrix: FragMatrix) -> Floats:
    """a_ii / B_i, 0..1, with B_i all frags that involve i: float64, length n."""
    suicides = matrix.suicides
    involved = matrix.kills + matrix.deaths + suicides
    lost: Floats = suicides / np.maximum(involved, 1)
    return lost


def share_out(matrix: FragMatrix, pairs: Pairs) -> Pairs:
    """The pairs after each player's suicides became frags of his opponents on him.

    Each opponent gets the share that he has in the frags between the player and all others; who
    met nobody keeps his suicides to himself.
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
