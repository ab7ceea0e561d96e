"""What a search may vary: each parameter as an axis on which one step is a change worth trying."""

import math
from dataclasses import dataclass

from ratings.evaluation.played_games import Played
from ratings.evaluation.setups import Setup, known_parameters
from ratings.systems import ParameterError, Value

__all__ = ["Axis", "axes_of", "usual_names"]

# What usually decides how well a system foresees, the strongest first.
_USUAL = {
    "elo": ("k_established", "k_provisional", "k_new"),
    "elo_normal": ("alpha",),
    "glicko": ("days_to_forget",),
    "glicko2": ("volatility", "tau"),
    "trueskill": ("beta", "tau"),
    "frags": ("k", "scale"),
    "zonestats": ("spread", "game_mult"),
}
_SIDES = ("side_advantage", "side_gamma")
_DRAWS = ("draw_nu", "draw_probability")
# Parameters that may be 0 or below vary by so much a step; all others by a factor.
_LINEAR = {"side_advantage": 40.0, "draw_nu": 0.3, "draw_probability": 0.05}
_FACTOR = math.log(1.5)
# Days: a period of ten years, and of a minute.
_LONGEST, _SHORTEST = 3_650.0, 1 / 1_440


@dataclass(frozen=True, slots=True)
class Axis:
    """One parameter: `at(0)` is where the search starts, `at(1)` one step up.

    low, high  the range of its values
    factor     whether a step multiplies; otherwise it adds
    """

    name: str
    start: float
    low: float
    high: float
    step: float
    factor: bool
    is_whole: bool = False

    def at(self, place: float) -> Value:
        """The value at a place, within the range."""
        moved = place * self.step
        value = self.start * math.exp(moved) if self.factor else self.start + moved
        value = min(max(value, self.low), self.high)
        return round(value) if self.is_whole else value

    @property
    def bounds(self) -> tuple[float, float]:
        """The places of both ends of the range."""
        if self.factor:
            low, high = (math.log(end / self.start) / self.step for end in (self.low, self.high))
        else:
            low, high = ((end - self.start) / self.step for end in (self.low, self.high))
        return low, high


def usual_names(setup: Setup, played: Played) -> tuple[str, ...]:
    """What is worth varying for these games; what is given already is left alone."""
    known = known_parameters(setup.name)
    names = list(_USUAL.get(setup.name, ()))
    names += _SIDES if played.has_sides else ()
    names += _DRAWS if played.has_draws else ()
    found = tuple(name for name in names if name in known and name not in setup.given)
    return tuple(name for name in found if name != "days_to_forget" or "c" not in setup.given)


def axes_of(setup: Setup, names: tuple[str, ...]) -> list[Axis]:
    """The axes of these parameters, from the values of `setup` on. Raises ParameterError."""
    return [_period(setup) if name == "period" else _axis(setup, name) for name in names]


def _axis(setup: Setup, name: str) -> Axis:
    known = known_parameters(setup.name)
    if name not in known:
        expected = "unknown; known are " + ", ".join((*sorted(known), "period"))
        raise ParameterError(name, None, expected)
    parameter = known[name]
    if parameter.minimum is None or parameter.maximum is None:
        raise ParameterError(name, parameter.default, "cannot be varied; must be a number")
    start, low, high = float(setup.value(name)), parameter.minimum, parameter.maximum
    is_whole = parameter.type is int
    if name in _LINEAR or start <= 0 or low < 0:
        step = _LINEAR.get(name, (high - low) / 20)
        return Axis(name, start, low, high, step, factor=False, is_whole=is_whole)
    return Axis(name, start, max(low, start / 1000), high, _FACTOR, factor=True, is_whole=is_whole)


def _period(setup: Setup) -> Axis:
    start = setup.period_days
    if start is None:
        raise ParameterError("period", None, "cannot be varied without periods; give --period")
    return Axis("period", start, min(_SHORTEST, start), max(_LONGEST, start), _FACTOR, factor=True)
