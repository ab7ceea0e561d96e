"""What a queue demands of a pair."""

import math
from dataclasses import dataclass

import numpy as np

from ratings.systems.arrays import Floats

__all__ = ["Rules"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """How far apart two ratings may be, and how waiting widens it.

    gap_start       rating points that somebody accepts who has just begun to wait
    gap_per_second  rating points more for every second of waiting
    gap_cap         the most that waiting can lead to; None: no limit

    Raises ValueError when a figure is negative or not finite, or the cap is below the start.
    """

    gap_start: float
    gap_per_second: float
    gap_cap: float | None = None

    def __post_init__(self) -> None:
        for name in ("gap_start", "gap_per_second"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value >= 0):
                raise ValueError(f"{name} is {value}: must be a finite number, 0 or more")
        cap = self.gap_cap
        if cap is not None and not (math.isfinite(cap) and cap >= self.gap_start):
            raise ValueError(f"gap_cap is {cap}: must be None or at least {self.gap_start:g}")

    def tolerances(self, waited: Floats) -> Floats:
        """Rating points that tickets accept after `waited` seconds; same shape as `waited`."""
        with np.errstate(over="ignore"):  # whoever waits for ever accepts anyone
            widened = self.gap_start + self.gap_per_second * waited
        return widened if self.gap_cap is None else np.minimum(widened, self.gap_cap)
