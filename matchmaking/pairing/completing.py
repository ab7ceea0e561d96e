"""From nothing to a maximal matching: best first, until no two who wait suit each other."""

import numpy as np

from matchmaking.pairing.choosing import choose_best_first
from matchmaking.pairing.line import Line
from matchmaking.pairing.matching import Matching
from matchmaking.pairing.nearest import nearest_pairs
from ratings.systems.arrays import Ints

__all__ = ["complete"]


def complete(line: Line, matching: Matching) -> None:
    """Pair free places until no two of them accept each other, however far apart."""
    while (free := matching.free()).size > 1:
        pairs = free[nearest_pairs(line.only(free))]
        if not len(pairs):
            return
        _join_best(line, matching, pairs)


def _join_best(line: Line, matching: Matching, pairs: Ints) -> None:
    lower, upper = pairs.T
    pairs = pairs[np.argsort(line.cost(lower, upper), kind="stable")]
    chosen = pairs[choose_best_first(pairs, size=len(line))]
    matching.join(chosen[:, 0], chosen[:, 1])
