"""Deviations that grow while a player rests, by the same variance in each period: σ² + growth² t."""

import numpy as np
from numpy.typing import ArrayLike

from ratings.systems.arrays import Floats

__all__ = ["longest_growth", "periods_of_growth"]


def longest_growth(growth: float, highest: float) -> float:
    """Periods in which a deviation grows from 0 to `highest`: longer is no different, and may overflow."""
    return (highest / growth) * (highest / growth) if growth else 0.0


def periods_of_growth(
    deviation: ArrayLike, threshold: float, *, growth: float, highest: float
) -> Floats:
    """t = (threshold² - σ²) / growth², 0 or above; inf beyond `highest` or where growth is 0."""
    now = np.asarray(deviation, dtype=np.float64)
    missing = (threshold - now) * (threshold + now)
    reachable = growth > 0 and threshold <= highest
    growing = missing / (growth * growth) if reachable else np.full(now.shape, np.inf)
    return np.where(missing <= 0, 0.0, growing)
