"""Whether, and by which model, behaviour foretells ratings: of players that no model has seen."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from ratings.systems.arrays import Floats
from ratings.systems.behaviour.learn import KINDS, learn

__all__ = ["FEWEST", "GUESSES", "Judgement", "judge", "rmse"]

FEWEST = 50  # established players whose behaviour is known
GUESSES = ("start", "mean")  # what a model has to beat: always the start value, always the mean
_FOLDS = 5
_SURE = 1.96  # standard errors: two-sided, 95 %
_SEED = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """How far guesses and models were from the ratings of players that were held out, a fifth at a time.

    players  how many players that were
    errors   by `GUESSES` and `KINDS`: root of the mean squared error, in rating points; empty: too few players to say
    folds    the same of each fold
    gain_at_least  of the better model: by which share its squared error is at least less than that of the better guess
             (lower end of the 95 % range, of the same players' errors in pairs)
    chosen   which model is used: "" none, where it is not sure that it beats every guess
    worth    of each feature by how many points the error of the better model grows when its values are shuffled
             among the players held out
    """

    players: int = 0
    errors: Mapping[str, float] = field(default_factory=dict)
    folds: Mapping[str, list[float]] = field(default_factory=dict)
    gain_at_least: float | None = None
    chosen: str = ""
    worth: tuple[float, ...] = ()


def judge(features: Floats, ratings: Floats, *, start: float) -> Judgement:
    """Hold out each fifth of the players in turn, and foretell its ratings by what is learned from the others.

    features  float64 (n, f), a row a player; NaN where one is not known
    ratings   float64 (n)
    start     what the rating system gives new players
    """
    n, f = features.shape
    if n < FEWEST or not f or float(np.ptp(ratings)) == 0:
        return Judgement(players=n)
    random = np.random.default_rng(_SEED)
    fold = random.permutation(n) % _FOLDS
    foretold = {name: np.full(n, start) for name in (*GUESSES, *KINDS)}
    shuffled = {kind: np.zeros((f, n)) for kind in KINDS}
    for number in range(_FOLDS):
        kept, asked = fold != number, fold == number
        foretold["mean"][asked] = ratings[kept].mean()
        for kind in KINDS:
            model = learn(kind, features[kept], ratings[kept])
            foretold[kind][asked] = model.predict(features[asked])
            for column in range(f):
                mixed = features[asked]
                mixed[:, column] = random.permutation(mixed[:, column])
                shuffled[kind][column, asked] = model.predict(mixed)
    squared = {name: (told - ratings) ** 2 for name, told in foretold.items()}
    best_guess = min(GUESSES, key=lambda name: squared[name].mean())
    best = min(KINDS, key=lambda name: squared[name].mean())
    gain = squared[best_guess] - squared[best]
    sure = float(gain.mean()) - _SURE * float(gain.std(ddof=1)) / math.sqrt(n)
    errors = {name: math.sqrt(each.mean()) for name, each in squared.items()}
    return Judgement(
        players=n,
        errors=errors,
        folds={
            name: [math.sqrt(each[fold == number].mean()) for number in range(_FOLDS)]
            for name, each in squared.items()
        },
        gain_at_least=sure / float(squared[best_guess].mean()),
        chosen=best if sure > 0 else "",
        worth=tuple(rmse(row, ratings) - errors[best] for row in shuffled[best]),
    )


def rmse(told: Floats, truth: Floats) -> float:
    """Root of the mean squared error."""
    return math.sqrt(float(np.mean((told - truth) ** 2)))
