"""Parameters found by their predictions: the log loss on the first part of the games is minimised.

Nelder and Mead's simplex (1965): no derivative is needed, bounds are kept, and the same games give
the same parameters.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ratings.evaluation.axes import Axis, axes_of
from ratings.evaluation.played_games import Played
from ratings.evaluation.predict import Foreseen, Schedule
from ratings.evaluation.setups import Setup
from ratings.systems import ParameterError, Value

__all__ = ["Tried", "Tuned", "foresee", "tune"]


@dataclass(frozen=True, slots=True)
class Tried:
    """One run of the search: how many there were, and the best so far."""

    runs: int
    most: int
    best: float = np.inf
    values: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Tuned:
    """What a search found.

    setup   with the values found
    values  those of them that were varied
    before  log loss on the first part, without its warm-up, with the setup as given, after: with `values`
    runs    how often the games were gone through
    """

    setup: Setup
    values: Mapping[str, Value]
    before: float
    after: float
    runs: int


def foresee(played: Played, setup: Setup) -> Foreseen:
    """Predict all games one step ahead. Raises UnfitError where the system cannot rate them."""
    system = setup.system()
    schedule = Schedule(played.fit(system), setup.period_days)
    return schedule.foresee(system, pool_minimum=setup.pool_minimum)


def tune(
    played: Played,
    setup: Setup,
    names: Sequence[str],
    *,
    warm_up: float = 0.1,
    most: int = 300,
    on_run: Callable[[Tried], None] = lambda _: None,
) -> Tuned:
    """Vary the parameters `names` from those of `setup` until the games are foreseen best.

    `played` should be the first part only. The share `warm_up` of it, the oldest, is rated but not judged:
    there everybody is new, and a search would fit the beginning of the history instead of its course.
    Raises UnfitError, ParameterError, or ValueError without a game or a parameter.
    """
    # Here, so that who only wants figures need not load it.
    from scipy.optimize import minimize

    if not names or not len(played):
        raise ValueError("nothing to tune: give games, and parameters to vary")
    axes = axes_of(setup, tuple(names))
    trial = _Trial(played.fit(setup.system()), setup, axes, warm_up, Tried(0, most), on_run)
    before = trial.loss(np.zeros(len(names)))
    bounds = [axis.bounds for axis in trial.axes]
    minimize(
        trial.loss,
        np.zeros(len(names)),
        method="Nelder-Mead",
        bounds=bounds,
        options={
            "initial_simplex": _simplex(bounds),
            "xatol": 0.05,
            "fatol": 2e-6,
            "maxfev": most - 1,
        },
    )
    best = trial.best
    return Tuned(setup.changed(best.values), best.values, before, best.best, best.runs)


class _Trial:
    """The loss at a place, remembering the best and what was laid out for each length of period."""

    def __init__(
        self,
        played: Played,
        setup: Setup,
        axes: list[Axis],
        warm_up: float,
        best: Tried,
        on_run: Callable[[Tried], None],
    ) -> None:
        self.axes = axes
        self._played = played
        self._setup = setup
        self._on_run = on_run
        self._schedule = Schedule(played, setup.period_days)
        self._warm_up = warm_up
        self.best = best

    def loss(self, place: np.ndarray) -> float:
        values = {axis.name: axis.at(float(x)) for axis, x in zip(self.axes, place, strict=True)}
        try:
            loss = self._log_loss(self._setup.changed(values))
        except ParameterError:  # each is in its range, together they are not
            loss = np.inf
        runs, best = self.best.runs + 1, self.best
        is_better = loss < best.best
        self.best = Tried(
            runs, best.most, min(loss, best.best), values if is_better else best.values
        )
        self._on_run(self.best)
        return loss

    def _log_loss(self, setup: Setup) -> float:
        if setup.period_days != self._schedule.period_days:
            self._schedule = Schedule(self._played, setup.period_days)
        foreseen = self._schedule.foresee(setup.system(), pool_minimum=setup.pool_minimum)
        found = foreseen.later(self._warm_up).report().log_loss
        return np.inf if found is None else found


def _simplex(bounds: Sequence[tuple[float, float]]) -> np.ndarray:
    """The start and one step along each axis, the other way where the range ends above."""
    corners = np.zeros((len(bounds) + 1, len(bounds)))
    for place, (_low, high) in enumerate(bounds):
        corners[place + 1, place] = 1.0 if high >= 1 else -1.0
    return corners
