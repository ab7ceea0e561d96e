"""What a queue begins with that nobody has tuned: the defaults, on the scale of its ladder's ratings.

The defaults are in points of Elo, where 100 are a chance of 64 %. On TrueSkill's scale, which begins at
25, that many would be anybody against anybody.
"""

from dataclasses import dataclass
from math import floor, log10

import numpy as np

from matchmaking.pairing.plan import Plan, Rules
from matchmaking.pairing.settings import Settings
from ratings.systems.arrays import Floats
from ratings.systems.base import System
from ratings.systems.registry import REFERENCE_SYSTEM, create
from ratings.systems.state import Ratings

__all__ = ["Scale", "Usual", "usual_for"]

_APART = 100.0  # points of Elo by which scales are compared
_ALIKE = 1.25  # scales that differ by less are the same
# Points as large or small as any setting can be: of these times a default, each is within its range.
_LEAST, _MOST = 0.002, 100.0
_IN_POINTS = (
    ("exchange", "points_per_second"),
    ("teams", "spread_start"),
    ("teams", "spread_per_second"),
    ("teams", "party_bonus"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """A scale of ratings beside Elo's.

    start  rating points of whoever has not played
    point  rating points that mean as much as one of Elo's: the same chance, of two who are rated surely
    """

    start: float
    point: float

    @classmethod
    def of(cls, system: System | None) -> "Scale":
        """The scale of a system; Elo's where there is none."""
        elo = create(REFERENCE_SYSTEM)
        system = elo if system is None else system
        chance = float(_chances(elo, np.array([_APART]))[0])
        gaps = np.geomspace(1e-3, 1e6, 400)  # found among these to about a thousandth
        point = float(np.interp(chance, _chances(system, gaps), gaps)) / _APART
        is_alike = 1 / _ALIKE < point < _ALIKE
        return cls(
            start=float(system.initial(1).value[0]),
            point=1.0 if is_alike else min(max(point, _LEAST), _MOST),
        )

    def points(self, elo: float) -> float:
        """So many points of Elo on this scale, to two digits; on Elo's own as they are."""
        return elo if self.point == 1 else float(f"{elo * self.point:.2g}")

    def ratings(self, elo: tuple[float, ...]) -> tuple[float, ...]:
        """Where these ratings lie, by their distance from those of newcomers; never two the same."""
        return self.from_other(Scale.of(None), elo)

    def from_other(self, other: "Scale", ratings: tuple[float, ...]) -> tuple[float, ...]:
        """Where ratings of another scale lie on this one, by their distance from those of newcomers."""
        decimals, factor = max(0, 1 - floor(log10(self.point * _APART))), self.factor_from(other)
        return tuple(round(self.start + (one - other.start) * factor, decimals) for one in ratings)

    def factor_from(self, other: "Scale") -> float:
        """How many points mean as much here as one of the other scale; 1 where that is about the same."""
        factor = self.point / other.point
        return 1.0 if 1 / _ALIKE < factor < _ALIKE else factor


@dataclass(frozen=True, slots=True, kw_only=True)
class Usual:
    """How a new queue looks for matches."""

    rules: Rules
    settings: Settings


def usual_for(system: System | None, *, is_duel: bool) -> Usual:
    """What suits a ladder of this system: as by default, on its scale.

    In a match of more than two everybody is within the gap of everybody, so it is as wide as the
    spread there: neither forbids what the other allows.
    """
    scale, rules, settings = Scale.of(system), Plan().rules, Settings()
    borders, given = scale.ratings(settings.borders), settings.as_dict()
    for section, name in _IN_POINTS:
        given[section][name] = scale.points(getattr(getattr(settings, section), name))
    given["buckets"]["borders"] = ", ".join(f"{border:g}" for border in borders)
    built = Settings.build(settings.strategy, given)
    start, per_second = scale.points(rules.gap_start), scale.points(rules.gap_per_second)
    if not is_duel:
        start, per_second = built.teams.spread_start, built.teams.spread_per_second
    return Usual(rules=Rules(gap_start=start, gap_per_second=per_second), settings=built)


def _chances(system: System, gaps: Floats) -> Floats:
    """The score that the system expects of somebody so many points above a newcomer."""
    beginner = system.initial(1)
    value = np.append(gaps, 0.0) + beginner.value[0]
    sure = None if beginner.deviation is None else np.zeros(len(value))
    last = np.full(len(gaps), len(gaps))
    return system.expected(Ratings.without_games(value, sure), np.arange(len(gaps)), last)
