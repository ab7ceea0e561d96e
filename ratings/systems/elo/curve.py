"""What Elo expects of a game, with draws and sides if an operator wants them.

With strengths π = 10^(r/2C): z = π_i + γ π_j + ν √(π_i π_j); i wins with π_i/z, draws with
ν √(π_i π_j)/z and loses with γ π_j/z; ν after Davidson (1970), γ after Davidson & Beaver (1977) if i
plays the better side. Divided by π_i, with h = √(γ π_j / π_i): 1, (ν/√γ) h and h².
"""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from ratings.systems.arrays import Floats
from ratings.systems.logistic import logistic, logistic_for_one, tenth_power, tenth_power_one

__all__ = ["Chances", "Curve", "flatten", "outcome_chances"]

_FARTHEST = 300.0  # decades: beyond it a result is certain, and h² stays finite


class Chances(NamedTuple):
    """Of the first players: chance of a win, of a draw, of a loss; together 1."""

    win: Floats
    draw: Floats
    loss: Floats


@dataclass(frozen=True, slots=True)
class Curve:
    """The curve of one set of parameters.

    per_point  decades of strength a rating point is worth: 1 / 2C
    nu         ν, 0 where draws are no result of their own
    advantage  decades of strength the better side is worth: -log10 γ
    """

    per_point: float
    nu: float = 0.0
    advantage: float = 0.0

    @classmethod
    def of(cls, class_interval: float, draw_nu: float = 0.0, side_gamma: float = 1.0) -> Self:
        # Decimal arithmetic: a logarithm with the same bits everywhere.
        advantage = 0.0 if side_gamma == 1 else -float(Decimal(side_gamma).log10())
        return cls(1 / (2 * class_interval), draw_nu, advantage)

    def expect(self, ahead: Floats, side: Floats | None) -> Floats:
        """Expected scores of players `ahead` points ahead: win + draw / 2. One length each."""
        decades = self._decades(ahead, side)
        if not self.nu:
            return logistic(decades)
        h, nu = self._roots(decades), self._nu(side)
        expected: Floats = (1.0 + nu * 0.5 * h) / (1.0 + nu * h + h * h)
        return expected

    def for_one(self) -> Callable[[float, float], float]:
        """`expect` as a function of one player's points ahead and side, equal to the bit."""
        per_point, advantage, nu = self.per_point, self.advantage, self.nu
        if not nu:
            return logistic_for_one(per_point, advantage)

        def expect(ahead: float, side: float) -> float:
            decades = ahead * per_point + side * advantage
            h = tenth_power_one(min(max(decades, -_FARTHEST), _FARTHEST) * 0.5)
            own = nu * tenth_power_one(abs(side) * (advantage * -0.5)) if advantage else nu
            return (1.0 + own * 0.5 * h) / (1.0 + own * h + h * h)

        return expect

    def chances(self, ahead: Floats, side: Floats | None) -> Chances:
        """The chance of each result."""
        h, nu = self._roots(self._decades(ahead, side)), self._nu(side)
        z = 1.0 + nu * h + h * h
        return Chances(1.0 / z, nu * h / z, h * h / z)

    def _decades(self, ahead: Floats, side: Floats | None) -> Floats:
        decades = ahead * self.per_point
        if self.advantage and side is not None:
            decades += side * self.advantage
        return decades

    def _roots(self, decades: Floats) -> Floats:
        """h = 10^(-x/2)."""
        return tenth_power(np.minimum(np.maximum(decades, -_FARTHEST), _FARTHEST) * 0.5)

    def _nu(self, side: Floats | None) -> Floats | float:
        """ν/√γ for whoever plays the better side, whichever player that is."""
        if not self.advantage or side is None:
            return self.nu
        return self.nu * tenth_power(np.abs(side) * (self.advantage * -0.5))


def outcome_chances(
    difference: ArrayLike,
    *,
    side: ArrayLike = 0.0,
    class_interval: float = 200.0,
    draw_nu: float = 0.0,
    side_gamma: float = 1.0,
) -> Chances:
    """Chances of a player who is `difference` rating points ahead to win, draw and lose.

    `side` says who plays the better side: 1 this player, -1 the other one, 0 neither (neutral
    ground). `draw_nu` and `side_gamma` are ν and γ.
    """
    ahead, sides, shape = flatten(difference, side)
    found = Curve.of(class_interval, draw_nu, side_gamma).chances(ahead, sides)
    return Chances(*(chance.reshape(shape) for chance in found))


def flatten(ahead: ArrayLike, side: ArrayLike) -> tuple[Floats, Floats, tuple[int, ...]]:
    """Points ahead and sides as rows of numbers, and the shape that both fill."""
    points, sides = np.broadcast_arrays(np.asarray(ahead, float), np.asarray(side, float))
    return points.ravel(), sides.ravel(), points.shape
