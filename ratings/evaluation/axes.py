"""What a search may vary: each parameter as an axis on which one step is a change worth trying."""

import math
from dataclasses import dataclass

from ratings.evaluation.played_games import Played
from ratings.evaluation.setups import Setup, known_parameters
from ratings.systems import ParameterError, Value, declaration_of

__all__ = ["Axis", "axes_of", "usual_names"]

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

    def at(self, point: float) -> Value:
        """The value at a point, within the range."""
        moved = point * self.step
        value = self.start * math.exp(moved) if self.factor else self.start + moved
        value = min(max(value, self.low), self.high)
        return round(value) if self.is_whole else value

    @property
    def bounds(self) -> tuple[float, float]:
        """The points at both ends of the range."""
        if self.factor:
            low, high = (math.log(end / self.start) / self.step for end in (self.low, self.high))
        else:
            low, high = ((end - self.start) / self.step for end in (self.low, self.high))
        return low, high


def usual_names(setup: Setup, played: Played) -> tuple[str, ...]:
    """What is worth varying for these games; what is given already is left alone."""
    declaration = declaration_of(setup.name)
    names = list(declaration.tuned)
    names += declaration.tuned_with_sides if played.has_sides else ()
    names += declaration.tuned_with_draws if played.has_draws else ()
    forgetting = declaration.forgetting
    settled = {*setup.given}
    if forgetting is not None and forgetting.parameter in settled:
        settled.add("days_to_forget")
    return tuple(name for name in names if name not in settled)


def axes_of(setup: Setup, names: tuple[str, ...]) -> list[Axis]:
    """The axes of these parameters, from the values of `setup` on. Raises ParameterError."""
    known, axes = known_parameters(setup.name), []
    for name in names:
        if name == "period":
            days = setup.period_days
            if days is None:
                expected = "cannot be varied without periods; give --period"
                raise ParameterError("period", None, expected)
            low, high = min(_SHORTEST, days), max(_LONGEST, days)
            axes.append(Axis("period", days, low, high, _FACTOR, factor=True))
            continue
        if name not in known:
            expected = "unknown; known are " + ", ".join((*sorted(known), "period"))
            raise ParameterError(name, None, expected)
        parameter = known[name]
        if parameter.minimum is None or parameter.maximum is None:
            raise ParameterError(name, parameter.default, "cannot be varied; must be a number")
        start, low, high = float(setup.value(name)), parameter.minimum, parameter.maximum
        step, is_whole = parameter.step, parameter.type is int
        if step is None and start > 0 and low >= 0:
            low = max(low, start / 1000)
            axes.append(Axis(name, start, low, high, _FACTOR, factor=True, is_whole=is_whole))
        else:
            step = step or (high - low) / 20
            axes.append(Axis(name, start, low, high, step, factor=False, is_whole=is_whole))
    return axes
