"""Whether one set of predictions is better than another, or only luckier. Pure: arrays in, figures out.

Both predicted the same games, so the games they share are compared pair by pair: what was hard to predict was hard for
both, and drops out. That tells differences apart which two separate means never could.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ratings.systems.arrays import Floats

__all__ = ["Margin", "losses_by_match", "margin_of"]

_SURE = 1e-12


@dataclass(frozen=True, slots=True)
class Margin:
    """By how much a mean loss is above another, and the standard error of that; None with less than two matches."""

    mean: float
    error: float | None


def losses_by_match(match: ArrayLike, predicted: ArrayLike, actual: ArrayLike) -> Floats:
    """The log loss of each match, in nats: -(w ln p + (1 - w) ln(1 - p)), p kept in [1e-12, 1 - 1e-12].

    Equal numbers of `match` stand together: of more than two teams there is an element for each, and the match's loss
    is their mean. Gives one number a match, in their order.
    """
    which = np.asarray(match)
    p = np.clip(np.asarray(predicted, dtype=np.float64), _SURE, 1 - _SURE)
    w = np.asarray(actual, dtype=np.float64)
    if not which.shape == p.shape == w.shape or which.ndim != 1:
        raise ValueError(
            f"match {which.shape}, predicted {p.shape}, actual {w.shape}: must be equally long rows"
        )
    if not which.size:
        return np.zeros(0)
    loss = -(w * np.log(p) + (1 - w) * np.log1p(-p))
    starts = np.flatnonzero(np.append(True, np.diff(which) != 0))
    sums: Floats = np.add.reduceat(loss, starts)
    return sums / np.diff(starts, append=which.size)


def margin_of(losses: Floats, best: Floats) -> Margin:
    """How far `losses` are above `best`, match by match; both of the same matches, at least one."""
    if losses.shape != best.shape or not losses.size:
        raise ValueError(f"losses of {losses.shape} and {best.shape} matches: must be of the same")
    behind = losses - best
    error = float(np.std(behind, ddof=1) / np.sqrt(len(behind))) if len(behind) > 1 else None
    return Margin(float(behind.mean()), error)
