"""Lots that are the same whenever the same tickets draw them."""

import numpy as np

from ratings.systems.arrays import Floats, Ints

__all__ = ["draw_lots"]


def draw_lots(ids: Ints) -> Floats:
    """A number from 0 up to 1 for each id, spread evenly, without any order that ids have.

    The mixer of splitmix64 (Steele, Lea & Flood, 2014), of which the upper 53 bits are kept.
    """
    mixed = ids.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    lots: Floats = (mixed >> np.uint64(11)).astype(np.float64) / 2.0**53
    return lots
