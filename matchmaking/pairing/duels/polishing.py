"""Smaller gaps for the same tickets: two pairs change partners where both sums gain by it."""

import numpy as np

from matchmaking.pairing.duels.choosing import choose_best_first
from matchmaking.pairing.duels.field import Field
from matchmaking.pairing.duels.matching import FREE, Matching
from ratings.systems.arrays import Ints

__all__ = ["polish"]


def polish(field: Field, matching: Matching, near: Ints, *, rounds: int) -> None:
    """Exchange partners while that makes the two gaps smaller together.

    Tried between `near`, (m, 2) places that accept each other. Nobody is matched or dropped by it.
    Ends after `rounds` at the latest.
    """
    one, other = near[(matching.partner[near] != FREE).all(axis=1)].T
    for _ in range(rounds):
        x, y = matching.partner[one], matching.partner[other]
        gain = field.gap(one, x) + field.gap(other, y) - field.gap(one, other) - field.gap(x, y)
        better = np.flatnonzero((gain > 1e-9) & field.allows(x, y))
        if not better.size:
            return
        better = better[np.argsort(-gain[better], kind="stable")]
        claims = np.stack((one, other, x, y), axis=1)[better]
        chosen = claims[choose_best_first(claims, size=len(field))]
        matching.join(chosen[:, 0], chosen[:, 1])
        matching.join(chosen[:, 2], chosen[:, 3])
