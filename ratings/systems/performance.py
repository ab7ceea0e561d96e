"""How well somebody played, from the opponents and the score alone (Elo 1978, 1.5)."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike

from ratings.systems.logistic import expected_score, rating_difference

__all__ = [
    "TRUSTED_GAMES",
    "Performance",
    "Undefined",
    "expected_total",
    "performance_rating",
    "rate_total",
]

_TRUSTED_SPAN = 3  # class intervals
TRUSTED_GAMES = 30


class Undefined(StrEnum):
    """Why a performance rating does not exist."""

    NO_GAMES = "no_games"
    ALL_WON = "all_won"
    ALL_LOST = "all_lost"


@dataclass(frozen=True, slots=True, kw_only=True)
class Performance:
    """A performance rating, or why there is none, and how far to trust it.

    rating            points, or None where it is undefined
    undefined         why it is None
    mean_opponent     points; None without games
    share             score per game, 0..1; None without games
    games             how many
    is_span_too_wide  the opponents' ratings span more than three class intervals
    has_few_games     fewer than TRUSTED_GAMES, which is too few for the rating of a period
    """

    rating: float | None
    undefined: Undefined | None
    mean_opponent: float | None
    share: float | None
    games: int
    is_span_too_wide: bool
    has_few_games: bool


def performance_rating(
    opponents: ArrayLike, score: float, *, class_interval: float = 200.0
) -> Performance:
    """r_p = r_c + D(p), r_c the mean of the opponents' ratings, p = score / games.

    `score` is the sum over all games. Raises ValueError when it is not from 0 to their number.
    """
    ratings = np.asarray(opponents, dtype=np.float64).ravel()
    if not np.isfinite(ratings).all():
        raise ValueError("opponents hold NaN or infinity: every rating must be finite")
    if not 0 <= score <= ratings.size:
        raise ValueError(f"score {score!r}: must be from 0 to {ratings.size}, the number of games")
    mean: float | None = None
    share: float | None = None
    rating: float | None = None
    undefined: Undefined | None = Undefined.NO_GAMES
    span = 0.0
    if ratings.size:
        # Divided first, and cut: a sum of very large ratings would be infinite. A span may be: too wide.
        largest, share = np.finfo(np.float64).max, score / ratings.size
        with np.errstate(over="ignore"):
            mean = float(np.clip(np.sum(ratings / ratings.size), -largest, largest))
            span = float(np.ptp(ratings))
        undefined = {0.0: Undefined.ALL_LOST, 1.0: Undefined.ALL_WON}.get(share)
        if undefined is None:
            rating = mean + rating_difference(share, class_interval=class_interval)
    return Performance(
        rating=rating,
        undefined=undefined,
        mean_opponent=mean,
        share=share,
        games=ratings.size,
        is_span_too_wide=span > _TRUSTED_SPAN * class_interval,
        has_few_games=ratings.size < TRUSTED_GAMES,
    )


def expected_total(
    rating: float, mean_opponent: float, games: int, *, class_interval: float = 200.0
) -> float:
    """The score expected of `games` games when only the opponents' mean rating is known."""
    difference = rating - mean_opponent
    return games * float(expected_score(difference, class_interval=class_interval))


def rate_total(
    rating: float,
    mean_opponent: float,
    games: int,
    score: float,
    *,
    k: float,
    class_interval: float = 200.0,
) -> float:
    """r' = r + K (W - n E(r - r_c)): the new rating when only a total score is known."""
    total = expected_total(rating, mean_opponent, games, class_interval=class_interval)
    return rating + k * (score - total)
