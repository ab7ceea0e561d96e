"""Elo with normal performances as a rating system."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import scipy  # loads its parts when they are first used: most processes use none
from numpy.typing import ArrayLike

from ratings.systems.arrays import Floats
from ratings.systems.base import Results, only_duels
from ratings.systems.changes import Changes, Sides, interleave
from ratings.systems.counting import count_games
from ratings.systems.declaration import Declaration
from ratings.systems.elo_normal.parameters import EloNormalParameters
from ratings.systems.elo_normal.stream import EloNormalStream
from ratings.systems.parameters import gettext_noop as _
from ratings.systems.points import DuelSystem, points_ahead
from ratings.systems.state import Ratings

__all__ = ["EloNormal"]


@dataclass(frozen=True, slots=True)
class EloNormal(DuelSystem):
    """`System` of Elo with performances p ~ N(s, β²): Δ = α β √π (w - Φ((s_1 - s_2) / √2 β)).

    What one player wins the other loses, whatever their statuses (Herbrich, Minka & Graepel 2007).
    Φ comes from the C library: other machines may differ in the last bits.
    """

    settings: EloNormalParameters

    declaration: ClassVar[Declaration] = Declaration(
        name="elo_normal",
        title=_("Elo with the normal curve"),
        purpose=_(
            "One against one, where points must neither appear nor vanish: what one wins the "
            "other loses, and one match weighs the same for everybody."
        ),
        parameters=EloNormalParameters,
        spread_parameter="beta",
        tuned=("alpha",),
        weight_symbol="α β √π",
    )

    stream: ClassVar[type[EloNormalStream]] = EloNormalStream

    def rate_event_explained(
        self, ratings: Ratings, results: Results, *, all_count: bool = False
    ) -> tuple[Ratings, Changes]:
        duels = only_duels(results, system=self.name)
        duels.check_players(len(ratings))
        sides, status = Sides.of(duels), self.status(ratings)
        first = self.expected(ratings, duels.first, duels.second)
        expected = interleave(first, 1.0 - first)
        points = self.settings.weight * (sides.actual - expected)
        value = ratings.value + np.bincount(sides.player, weights=points, minlength=len(ratings))
        games, counted = count_games(ratings, duels, status, all_count=all_count)
        changes = sides.explain(
            expected,
            np.full(len(expected), self.settings.weight),
            ratings.value[sides.player],
            value[sides.player],
            status[sides.player],
        )
        return Ratings(value, None, None, games, counted), changes

    def expected(
        self, ratings: Ratings, first: ArrayLike, second: ArrayLike, side: ArrayLike = 0.0
    ) -> Floats:
        ahead = points_ahead(ratings.value, first, second)
        chance: Floats = scipy.special.ndtr(ahead * self.settings.per_point)
        return chance
