"""Why TrueSkill ratings changed, row by row."""

import numpy as np

from ratings.systems.arrays import Floats
from ratings.systems.changes import Changes, Sides
from ratings.systems.trueskill.table import Journal

__all__ = ["explain"]

# A surprise smaller than this is too small to divide by.
_NO_SURPRISE = 1e-9


def explain(sides: Sides, journal: Journal, moved: Floats) -> Changes:
    """Join the rows to what they did; `moved` is in points.

    TrueSkill is not linear in the surprise: the weight is what the points come to for a full one.
    """
    surprise = sides.actual - journal.expected
    is_small = np.abs(surprise) < _NO_SURPRISE
    return Changes(
        game=sides.game,
        player=sides.player,
        opponent=sides.opponent,
        expected=journal.expected,
        actual=sides.actual,
        weight=np.where(is_small, journal.gain, moved / np.where(is_small, 1.0, surprise)),
        contribution=moved,
        value_before=journal.value_before,
        value_after=journal.value_after,
        status_before=journal.status_before,
        deviation_before=journal.deviation_before,
        deviation_after=journal.deviation_after,
    )
