"""From nothing to a maximal matching: best first, until no two who wait suit each other."""

import numpy as np

from matchmaking.pairing.duels.choosing import choose_best_first
from matchmaking.pairing.duels.field import Field
from matchmaking.pairing.duels.matching import Matching
from ratings.systems.arrays import Ints

__all__ = ["complete"]


def complete(field: Field, matching: Matching) -> None:
    """Pair free places until no two of them accept each other, however far apart."""
    while (free := matching.free()).size > 1:
        pairs = field.nearest(free)
        if not len(pairs):
            return
        _join_best(field, matching, pairs)


def _join_best(field: Field, matching: Matching, pairs: Ints) -> None:
    lower, upper = pairs.T
    pairs = pairs[np.argsort(field.cost(lower, upper), kind="stable")]
    chosen = pairs[choose_best_first(pairs, size=len(field))]
    matching.join(chosen[:, 0], chosen[:, 1])
