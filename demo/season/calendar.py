"""When matches begin: evenings and weekends, more of them as the league grows. Pure."""

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

__all__ = ["HOUR", "LAST_START", "beginnings"]

HOUR = 3600.0
DAY = 24 * HOUR
LAST_START = 240.0  # the longest match is over before the season is
# How busy the hours are, counted back from the end of the season: that is always a busy evening, so that whoever
# starts the demo finds the league as it was the day before.
_EVENING = [1.0, 0.95, 0.8, 0.66, 0.55, 0.5, 0.5, 0.45, 0.4, 0.3, 0.2, 0.12]
_NIGHT = [0.06, 0.03, 0.02, 0.02, 0.03, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9]
_BUSY = np.array([*_EVENING, *_NIGHT])


def beginnings(count: int, *, days: float, random: Generator) -> NDArray[np.float64]:
    """Return `count` sorted moments in seconds since the season's start."""
    length = days * DAY
    hours = int(np.ceil(length / HOUR))
    back = np.arange(hours)
    weight = _BUSY[back % 24] * (1.0 - 0.5 * back / hours)
    weekend = (back // 24) % 7 < 2  # the league's weekend is the two days before its end
    weight = weight * np.where(weekend, 1.3, 1.0)
    chosen = random.choice(hours, size=count, p=weight / weight.sum())
    moments = length - LAST_START - (chosen + random.random(count)) * HOUR
    return np.sort(moments.clip(0.0))
