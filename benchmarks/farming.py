"""Volatility farming: what losing on purpose gains in Glicko-2, by strategy, tau and cap.

A player of 1700 points settles, loses on purpose for a while, which raises the volatility, and then
plays honestly. The twin has the same strength, opponents as far off and the same luck, and plays
honestly throughout. The gain is how much higher the farmer then stands, or has stood at best.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from benchmarks.figure import Figure
from ratings.systems import Duels, Ratings, System, create, expected_score
from ratings.systems.arrays import Floats

NAME = "farming"
PAIRS = 1000
GAMES = 10  # of each, each period
SETTLING, FARMING, HONEST = 20, 20, 60  # periods
STRENGTH = 1700.0
TAUS = (0.3, 0.5, 0.9, 1.2)
CAPS = {"no cap": 10.0, "cap 0.15": 0.15, "cap 0.1": 0.1, "cap 0.08": 0.08}

# Share of the games to lose on purpose, from the period (0 is the first of farming) and the ratings.
Throws = Callable[[int, Floats], Floats | float]
STRATEGIES: dict[str, Throws] = {
    "lose all for the last 5 periods": lambda period, _: float(period >= FARMING - 5),
    "lose all for 20 periods": lambda _period, _: 1.0,
    "lose half for 20 periods": lambda _period, _: 0.5,
    "lose all every other period": lambda period, _: float(period % 2 == 0),
    "stay 300 points below": lambda _period, ratings: (ratings > STRENGTH - 300).astype(float),
}


@dataclass(frozen=True, slots=True, eq=False)
class Luck:
    """What chance decides, the same for farmers and twins: arrays (periods, pairs, games)."""

    distance: Floats  # points by which the opponent is better rated
    thrown: Floats
    won: Floats

    @classmethod
    def draw(cls) -> "Luck":
        rng = np.random.default_rng(20261121)
        shape = (SETTLING + FARMING + HONEST, PAIRS, GAMES)
        return cls(rng.normal(0, 50, shape), rng.random(shape), rng.random(shape))


def run() -> Iterator[Figure]:
    """Play every strategy with every tau and cap, and its twins."""
    luck = Luck.draw()
    for tau in TAUS:
        for cap, highest in CAPS.items():
            system = create("glicko2", tau=tau, volatility_max=highest)
            twins, _ = _careers(system, lambda _period, _ratings: 0.0, luck)
            for name, throws in STRATEGIES.items():
                farmers, volatility = _careers(system, throws, luck)
                yield from _figures(f"farming: {name}, tau {tau}, {cap}", farmers, twins)
                yield Figure(
                    name=f"farming: {name}, tau {tau}, {cap}: volatility after farming",
                    value=round(volatility, 4),
                    unit="",
                )


def _figures(name: str, farmers: Floats, twins: Floats) -> Iterator[Figure]:
    """Gains in points, each with how uncertain chance leaves it."""
    gains = {
        "final": farmers[-1] - twins[-1],
        "peak": farmers[-HONEST:].max(axis=0) - twins[-HONEST:].max(axis=0),
    }
    for kind, gain in gains.items():
        yield Figure(
            name=f"{name}: gain, {kind}", value=round(float(gain.mean()), 1), unit="points"
        )
        error = float(gain.std()) / PAIRS**0.5
        yield Figure(
            name=f"{name}: gain, {kind}: standard error", value=round(error, 1), unit="points"
        )


def _careers(system: System, throws: Throws, luck: Luck) -> tuple[Floats, float]:
    """Ratings after each period, (periods, pairs), and the mean volatility after farming."""
    players, values, volatility = system.initial(PAIRS), [], 0.0
    for period in range(len(luck.won)):
        is_farming = SETTLING <= period < SETTLING + FARMING
        share = throws(period - SETTLING, players.value) if is_farming else 0.0
        players = _play(system, players, share, luck, period)
        values.append(players.value)
        if period == SETTLING + FARMING - 1 and players.volatility is not None:
            volatility = float(players.volatility.mean())
    return np.stack(values), volatility


def _play(
    system: System, players: Ratings, share: Floats | float, luck: Luck, period: int
) -> Ratings:
    """One period against settled opponents who are rated as strong as they are."""
    others = (players.value[:, None] + luck.distance[period]).ravel()
    won = luck.won[period].ravel() < expected_score(STRENGTH - others)
    thrown = luck.thrown[period] < np.broadcast_to(np.reshape(share, (-1, 1)), (PAIRS, GAMES))
    score = (won & ~thrown.ravel()).astype(float)
    duels = Duels(np.repeat(np.arange(PAIRS), GAMES), PAIRS + np.arange(len(others)), score)
    return system.rate(_with_opponents(players, others), duels).take(np.arange(PAIRS))


def _with_opponents(players: Ratings, others: Floats) -> Ratings:
    def joined(column: Floats | None, value: float) -> Floats:
        if column is None:
            raise ValueError("the system has no deviation or volatility to farm")
        return np.append(column, np.full(len(others), value))

    nothing = np.zeros(len(others), dtype=np.int64)
    return Ratings(
        np.append(players.value, others),
        joined(players.deviation, 60.0),
        joined(players.volatility, 0.06),
        np.append(players.games, nothing),
        np.append(players.counted, nothing),
    )
