"""How well predictions came true. Pure: arrays in, figures out.

`predicted` and `actual` are arrays of length m: the score predicted for the first player before
each game, 0..1, and the score reached: 1 win, 0.5 draw, 0 loss. The figures are means over the
games, NaN-free: without a game to judge by they are None. ValueError when the arrays differ in
length or hold anything outside 0..1.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ratings.systems.arrays import Floats

__all__ = ["Bin", "Report", "accuracy", "brier", "calibration", "log_loss"]

_SURE = 1e-12


@dataclass(frozen=True, slots=True)
class Bin:
    """Games whose predictions lie in [low, high); the last bin holds 1 as well."""

    low: float
    high: float
    count: int
    mean_predicted: float
    mean_actual: float


@dataclass(frozen=True, slots=True)
class Report:
    """All figures for one set of predictions."""

    games: int
    draws: int
    accuracy: float | None
    log_loss: float | None
    brier: float | None
    calibration: tuple[Bin, ...]

    @classmethod
    def of(cls, predicted: ArrayLike, actual: ArrayLike, *, bins: int = 10) -> "Report":
        p, w = _check(predicted, actual)
        return cls(
            games=len(w),
            draws=int(np.count_nonzero(w == 0.5)),
            accuracy=accuracy(p, w),
            log_loss=log_loss(p, w),
            brier=brier(p, w),
            calibration=calibration(p, w, bins=bins),
        )


def accuracy(predicted: ArrayLike, actual: ArrayLike) -> float | None:
    """Share of decided games whose favourite won; a prediction of exactly 0.5 is half right.

    Draws are left out. A uniform guess reaches 0.5.
    """
    p, w = _check(predicted, actual)
    decided = w != 0.5
    if not decided.any():
        return None
    right = 0.5 + 0.5 * np.sign(p[decided] - 0.5) * np.sign(w[decided] - 0.5)
    return float(right.mean())


def log_loss(predicted: ArrayLike, actual: ArrayLike) -> float | None:
    """Mean of -(w ln p + (1 - w) ln(1 - p)) in nats, draws as 0.5; p kept in [1e-12, 1 - 1e-12].

    Lower is better; always predicting 0.5 gives ln 2 = 0.693147.
    """
    p, w = _check(predicted, actual)
    if not w.size:
        return None
    sure = np.clip(p, _SURE, 1 - _SURE)
    return float(-(w * np.log(sure) + (1 - w) * np.log1p(-sure)).mean())


def brier(predicted: ArrayLike, actual: ArrayLike) -> float | None:
    """Mean of (p - w)², draws as 0.5 (Brier 1950, one component). Lower is better."""
    p, w = _check(predicted, actual)
    return float(np.square(p - w).mean()) if w.size else None


def calibration(predicted: ArrayLike, actual: ArrayLike, *, bins: int = 10) -> tuple[Bin, ...]:
    """Bins of equal width over the predictions, lowest first; bins without a game are left out."""
    if bins < 1:
        raise ValueError(f"bins = {bins}: must be 1 or more")
    p, w = _check(predicted, actual)
    bin_of = np.minimum((p * bins).astype(np.int64), bins - 1)
    count = np.bincount(bin_of, minlength=bins)
    filled = np.flatnonzero(count)
    predicted_sum = np.bincount(bin_of, weights=p, minlength=bins)
    actual_sum = np.bincount(bin_of, weights=w, minlength=bins)
    return tuple(
        Bin(
            low=int(i) / bins,
            high=(int(i) + 1) / bins,
            count=int(count[i]),
            mean_predicted=float(predicted_sum[i] / count[i]),
            mean_actual=float(actual_sum[i] / count[i]),
        )
        for i in filled
    )


def _check(predicted: ArrayLike, actual: ArrayLike) -> tuple[Floats, Floats]:
    p, w = np.asarray(predicted, dtype=np.float64), np.asarray(actual, dtype=np.float64)
    if p.shape != w.shape or p.ndim != 1:
        raise ValueError(f"predicted {p.shape} and actual {w.shape}: must be equally long rows")
    for name, numbers in (("predicted", p), ("actual", w)):
        # Written so that NaN fails too.
        if not ((numbers >= 0) & (numbers <= 1)).all():
            raise ValueError(f"{name} holds numbers outside 0..1 or NaN")
    return p, w
