"""How well behaviour foretells strength: in a simulated league whose strengths are known, and in a file of games.

In the league each player has a strength and a style; a game's features are made of both, and of luck by the match.
Style is the same in every match of a player, so that no number of matches makes an estimate exact.
"""

from dataclasses import dataclass

import numpy as np

from ratings.evaluation.period_games import period_numbers, periods_of
from ratings.evaluation.played_games import Played
from ratings.evaluation.predict import RunningRatings
from ratings.systems import Duels, System, create
from ratings.systems.arrays import Floats, Ints
from ratings.systems.behaviour import WINDOWS, Judgement, judge, learn, means_of_last, rmse
from ratings.systems.state import Ratings, Status

__all__ = ["FEATURES", "Foretold", "Simulated", "foretell_by_points", "simulate_behaviour"]

FEATURES = (
    "accuracy",
    "damage_per_minute",
    "objective_seconds",
    "deaths",
    "actions_per_minute",
    "jumps",
)
_MEAN, _SPREAD = 1500.0, 300.0
_GAMES = 40  # of each player, until ratings are established
_PERIOD = 8  # of them


@dataclass(frozen=True, slots=True, kw_only=True)
class Foretold:
    """What was found for estimates from so many matches.

    judgement  by cross-validation, of players whose ratings are established
    estimate   root of the mean squared error of estimates of players that are new, from their true strength; None: of
               a file, where nobody knows it
    start      the same of the start value
    """

    matches: int
    judgement: Judgement
    estimate: float | None = None
    start: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulated:
    """The league: how many are established after all games, how far their ratings are from the truth, and estimates."""

    established: int
    rating_error: float
    foretold: list[Foretold]


def simulate_behaviour(*, players: int, newcomers: int, seed: int, noise: float = 1.0) -> Simulated:
    """Play a league of so many players to established ratings, learn from it, and foretell so many who are new.

    noise  how large luck and style are: 1 is as far as in `_features`, 0 is none
    """
    random = np.random.default_rng(seed)
    glicko = create("glicko")
    strength = random.normal(_MEAN, _SPREAD, players)
    ratings = _play(glicko, strength, random)
    told = glicko.status(ratings) == Status.ESTABLISHED
    matches = max(WINDOWS)
    own = _features(strength[told], matches, noise, random)
    new_strength = random.normal(_MEAN, _SPREAD, newcomers)
    new = _features(new_strength, matches, noise, random)
    start = float(glicko.initial(1).value[0])
    found = []
    for window in WINDOWS:
        features = own[:, -window:].mean(axis=1)
        judged = judge(features, ratings.value[told], start=start)
        estimate = None
        if judged.chosen:
            model = learn(judged.chosen, features, ratings.value[told])
            estimate = rmse(model.predict(new[:, :window].mean(axis=1)), new_strength)
        found.append(
            Foretold(
                matches=window,
                judgement=judged,
                estimate=estimate,
                start=rmse(np.full(newcomers, start), new_strength),
            )
        )
    return Simulated(
        established=int(told.sum()),
        rating_error=rmse(ratings.value[told], strength[told]),
        foretold=found,
    )


def foretell_by_points(
    played: Played, system: System, *, period_days: float, least_games: int
) -> list[Foretold]:
    """Foretell ratings by the points of duels, such as kills: those made, and those of the opponent.

    Players are rated over all games, where the system needs periods in such of so many days, and learned from if they
    have `least_games`. Their last games count for their ratings too: of a game that points decide, an estimate has seen
    part of what it foretells.
    Raises ValueError where games are not of one against one, or tell no points.
    """
    duels = played.results
    if not isinstance(duels, Duels) or duels.points is None:
        raise ValueError("games must be of one against one, with points such as kills_a, kills_b")
    ratings = _rated(played, system, period_days)
    player = np.stack((duels.first, duels.second), axis=1).ravel()
    points = duels.points
    values = np.stack((points, points[:, ::-1]), axis=2).reshape(-1, 2)
    chosen = np.flatnonzero(ratings.games >= least_games)
    start = float(system.initial(1).value[0])
    found = []
    for window in WINDOWS:
        means, _number = means_of_last(player, values, players=played.players, matches=window)
        judged = judge(means[chosen], ratings.value[chosen], start=start)
        found.append(Foretold(matches=window, judgement=judged))
    return found


def _rated(played: Played, system: System, period_days: float) -> Ratings:
    """Ratings after all games."""
    if not system.is_period:
        return system.rate(system.initial(played.players), played.results, all_count=True)
    state = RunningRatings(system, played.players)
    for event in periods_of(played.results, period_numbers(played.at, period_days)):
        before = state.take_aged(event.who, event.number)
        after = system.rate_event(before, event.results, all_count=True)
        state.put(event.who, after, event.number)
    return state.take(np.arange(played.players))


def _play(system: System, strength: Floats, random: np.random.Generator) -> Ratings:
    """Ratings after `_GAMES` games of each against somebody of about its rating."""
    ratings = system.initial(len(strength))
    for _period in range(_GAMES // _PERIOD):
        pairs: list[Ints] = []
        for _game in range(_PERIOD):
            # Near each other in rating, but not the same two each time.
            order = np.argsort(ratings.value + random.normal(0, 100, len(strength)))
            pairs.append(order[: len(order) // 2 * 2].reshape(-1, 2))
        first, second = np.concatenate(pairs).T
        chance = 1 / (1 + 10 ** ((strength[second] - strength[first]) / 400))
        score = (random.random(len(first)) < chance).astype(np.float64)
        aged = system.age(ratings, 1.0)
        ratings = system.rate(aged, Duels(first, second, score), all_count=True)
    return ratings


def _features(strength: Floats, matches: int, noise: float, random: np.random.Generator) -> Floats:
    """float64 (n, matches, f): what each player does in each match, in the order of `FEATURES`."""
    n = len(strength)
    skill = ((strength - _MEAN) / _SPREAD)[:, np.newaxis]

    def drawn(style: float, luck: float) -> Floats:
        found: Floats = noise * (
            style * random.normal(size=(n, 1)) + luck * random.normal(size=(n, matches))
        )
        return found

    # Some fake it: a script presses keys.
    fakes = random.random((n, 1)) < 0.2
    return np.stack(
        (
            1 / (1 + np.exp(1.0 - 0.5 * skill - drawn(0.3, 0.6))),
            300 * np.exp(0.25 * skill + drawn(0.15, 0.4)),
            np.maximum(0.0, 60 + 10 * np.tanh(skill) + drawn(8, 25)),
            np.maximum(0.0, 10 - 1.5 * skill + drawn(1.0, 4.0)),
            np.where(fakes, 400.0, 120 + 20 * skill) + drawn(25, 30),
            20 + drawn(10, 10),
        ),
        axis=2,
    )
