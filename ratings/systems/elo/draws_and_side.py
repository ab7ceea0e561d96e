"""How often games are drawn and how much a side is worth, from a history of results."""

from dataclasses import dataclass

import numpy as np
import scipy  # loads its parts when they are first used: most processes use none
from numpy.typing import ArrayLike

from ratings.systems.arrays import Floats
from ratings.systems.changes import Changes
from ratings.systems.elo.curve import Curve

__all__ = ["DrawsAndSide", "ahead_before", "estimate_draws_and_side"]

# What the parameters of Elo allow; beyond it the history says "always" or "never".
_NU = 1e-6, 100.0
_GAMMA = 0.01, 100.0


@dataclass(frozen=True, slots=True)
class DrawsAndSide:
    """The most likely ν and γ.

    draw_nu     ν; 0 where no game was drawn
    side_gamma  γ, below 1 where the better side helps; 1 where no game had sides
    log_loss    mean of -ln(chance of what happened) over the games, with these two
    games       how many
    """

    draw_nu: float
    side_gamma: float
    log_loss: float
    games: int


def ahead_before(changes: Changes) -> Floats:
    """Points the first players were ahead before each game: of `Changes` of an instant system."""
    with np.errstate(over="ignore"):  # an infinite difference is a sure win
        return changes.value_before[0::2] - changes.value_before[1::2]


def estimate_draws_and_side(
    ahead: ArrayLike,
    score: ArrayLike,
    side: ArrayLike | None = None,
    *,
    class_interval: float = 200.0,
) -> DrawsAndSide:
    """Find ν and γ by maximum likelihood, the ratings before each game taken as given.

    ahead  points the first player was ahead before each game
    score  of the first player, 0..1; one between 0, ½ and 1 counts in part for both neighbours
    side   who played the better side, as in `Duels`; None: nobody in any game

    The likelihood is that of a logit in ln ν and ln γ, hence concave: one maximum. Raises ValueError
    without games, or when lengths differ.
    """
    games = _Games.of(ahead, score, side)
    has_draws, has_sides = bool(games.drawn.any()), bool(games.side.any())

    def curve(point: Floats) -> Curve:
        return Curve.of(
            class_interval,
            float(np.exp(point[0])) if has_draws else 0.0,
            float(np.exp(point[1])) if has_sides else 1.0,
        )

    bounds = [
        tuple(np.log(limits)) if is_free else (0.0, 0.0)
        for limits, is_free in ((_NU, has_draws), (_GAMMA, has_sides))
    ]
    found = scipy.optimize.minimize(
        lambda point: games.loss(curve(point)),
        np.zeros(2),
        jac=True,
        method="L-BFGS-B",
        bounds=bounds,
    )
    best = [np.clip(np.exp(x), *limits) for x, limits in zip(found.x, (_NU, _GAMMA), strict=True)]
    return DrawsAndSide(
        draw_nu=float(best[0]) if has_draws else 0.0,
        side_gamma=float(best[1]) if has_sides else 1.0,
        log_loss=float(found.fun),
        games=len(games.ahead),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Games:
    """Arrays of one length; `won`, `drawn` and `lost` add up to 1."""

    ahead: Floats
    side: Floats
    won: Floats
    drawn: Floats
    lost: Floats

    @classmethod
    def of(cls, ahead: ArrayLike, score: ArrayLike, side: ArrayLike | None) -> "_Games":
        points, reached = np.asarray(ahead, dtype=float), np.asarray(score, dtype=float)
        sides = np.zeros(points.shape) if side is None else np.asarray(side, dtype=float)
        if not points.shape == reached.shape == sides.shape == (points.size,) or not points.size:
            raise ValueError(
                f"ahead, score and side have shapes {points.shape}, {reached.shape}, "
                f"{sides.shape}: must be one-dimensional, equally long and not empty"
            )
        won, lost = np.maximum(2 * reached - 1, 0.0), np.maximum(1 - 2 * reached, 0.0)
        return cls(points, sides, won, 1.0 - won - lost, lost)

    def loss(self, curve: Curve) -> tuple[float, Floats]:
        """Mean of -ln(chance of what happened), and its slopes by ln ν and ln γ."""
        chances = curve.chances(self.ahead, self.side)
        happened = self.won, self.drawn, self.lost
        total = 0.0
        for share, chance in zip(happened, chances, strict=True):
            came = share > 0
            total -= float(np.sum(share[came] * np.log(chance[came])))
        # γ stands at the strength of whoever does not play the better side.
        of_first, of_second = np.maximum(-self.side, 0.0), np.maximum(self.side, 0.0)
        by_nu = np.mean(chances.draw - self.drawn)
        by_gamma = np.mean(
            of_first * (chances.win - self.won) + of_second * (chances.loss - self.lost)
        )
        return total / len(self.ahead), np.array([by_nu, by_gamma])
