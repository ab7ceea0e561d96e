"""Parameters found by their predictions: the log loss on the first part of the games is minimised.

Nelder and Mead's simplex (1965): no derivative is needed, bounds are kept, and the same games give
the same parameters.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ratings.evaluation.axes import Axis, axes_of
from ratings.evaluation.played_games import Played, UnfitError
from ratings.evaluation.predict import GamePredictions, Schedule
from ratings.evaluation.setups import Setup
from ratings.systems import DrawsAndSideSystem, Duels, ParameterError, Value
from ratings.systems.parameters import gettext_noop as _

__all__ = ["Tried", "Tuned", "likely_draws_and_side", "predict_games", "tune"]


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


def predict_games(played: Played, setup: Setup) -> GamePredictions:
    """Predict all games one step ahead. Raises UnfitError where the system cannot rate them."""
    system = setup.system()
    schedule = Schedule(played.fit(system), setup.period_days)
    return schedule.predict(system, pool_minimum=setup.pool_minimum, drift_days=setup.drift_days)


def likely_draws_and_side(played: Played, setup: Setup) -> Mapping[str, float]:
    """The most likely parameters for draws and sides, the system's ratings before each game taken as given.

    Raises UnfitError for a system that cannot estimate them, for games rated by period, and without games.
    """
    system = setup.system()
    if not isinstance(system, DrawsAndSideSystem) or setup.period_days is not None:
        raise UnfitError(
            _("draws and sides are estimated for elo, game by game, not for %(system)s"),
            system=setup.name,
        )
    results = played.fit(system).results
    if not isinstance(results, Duels) or not len(results):
        raise UnfitError(_("there is no game to estimate draws and sides from"))
    return system.likely_draws_and_side(system.initial(played.players), results)


def tune(
    played: Played,
    setup: Setup,
    names: Sequence[str],
    *,
    warm_up: float = 0.1,
    most: int = 300,
    on_run: Callable[[Tried], None] = lambda _: None,
) -> Tuned:
    """Vary the parameters `names` from those of `setup` until the games are predicted best.

    `played` should be the first part only. The share `warm_up` of it, the oldest, is rated but not judged:
    there everybody is new, and a search would fit the beginning of the history instead of its course.
    Raises UnfitError, ParameterError, or ValueError without a game or a parameter.
    """
    # Here, so that who only wants figures need not load it.
    from scipy.optimize import minimize

    if not names or not len(played):
        raise ValueError("nothing to tune: give games, and parameters to vary")
    axes = axes_of(setup, tuple(names))
    schedule = Schedule(played.fit(setup.system()), setup.period_days)
    trial = _Trial(schedule, setup, axes, warm_up, Tried(0, most), on_run)
    before = trial.loss(np.zeros(len(names)))
    bounds = [axis.bounds for axis in trial.axes]
    # The start and one step along each axis, the other way where the range ends above.
    corners = np.zeros((len(bounds) + 1, len(bounds)))
    for index, (_low, high) in enumerate(bounds):
        corners[index + 1, index] = 1.0 if high >= 1 else -1.0
    minimize(
        trial.loss,
        np.zeros(len(names)),
        method="Nelder-Mead",
        bounds=bounds,
        options={
            "initial_simplex": corners,
            "xatol": 0.05,
            "fatol": 2e-6,
            "maxfev": most - 1,
        },
    )
    best = trial.best
    return Tuned(setup.changed(best.values), best.values, before, best.best, best.runs)


@dataclass(slots=True, eq=False)
class _Trial:
    """The loss at a point, remembering the best and what was laid out for the last length of period."""

    schedule: Schedule
    setup: Setup
    axes: list[Axis]
    warm_up: float
    best: Tried
    on_run: Callable[[Tried], None]

    def loss(self, point: np.ndarray) -> float:
        values = {axis.name: axis.at(float(x)) for axis, x in zip(self.axes, point, strict=True)}
        try:
            setup = self.setup.changed(values)
            if setup.period_days != self.schedule.period_days:
                self.schedule = Schedule(self.schedule.played, setup.period_days)
            predicted = self.schedule.predict(
                setup.system(), pool_minimum=setup.pool_minimum, drift_days=setup.drift_days
            )
            found = predicted.later(self.warm_up).report().log_loss
            loss = np.inf if found is None else found
        except ParameterError:  # each is in its range, together they are not
            loss = np.inf
        runs, best = self.best.runs + 1, self.best
        is_better = loss < best.best
        self.best = Tried(
            runs, best.most, min(loss, best.best), values if is_better else best.values
        )
        self.on_run(self.best)
        return loss
