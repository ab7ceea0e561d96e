"""Glicko-2 player by player with the Illinois method, as published, to compare the fast one with."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from ratings.systems import Duels, Ratings

SCALE = 400 / math.log(10)


@dataclass(frozen=True)
class Player:
    """On the system's own scale: μ, φ, σ."""

    mu: float
    phi: float
    sigma: float

    @classmethod
    def of(cls, value: float, deviation: float, volatility: float) -> "Player":
        return cls((value - 1500) / SCALE, deviation / SCALE, volatility)


@dataclass(frozen=True)
class Rules:
    tau: float = 0.5
    epsilon: float = 1e-14
    side: float = 0.0  # points
    lowest: float = 30.0
    highest: float = 350.0
    volatility_max: float = math.inf


# Opponent, score against the opponent, and 1, -1 or 0 for the better side.
Game = tuple[Player, float, float]


def rate(player: Player, games: Iterable[Game], rules: Rules) -> tuple[float, float, float]:
    """Rating and deviation in points, and volatility, after one period with games."""
    terms = [_term(player, *game, rules.side / SCALE) for game in games]
    v = 1 / sum(g * g * e * (1 - e) for g, e, _ in terms)
    delta = v * sum(g * (score - e) for g, e, score in terms)
    sigma = min(new_volatility(player, v, delta, rules), rules.volatility_max)
    star = math.sqrt(player.phi**2 + sigma**2)
    phi = 1 / math.sqrt(1 / star**2 + 1 / v)
    mu = player.mu + phi**2 * sum(g * (score - e) for g, e, score in terms)
    return 1500 + mu * SCALE, min(max(phi * SCALE, rules.lowest), rules.highest), sigma


def _term(
    player: Player, other: Player, score: float, side: float, lead: float
) -> tuple[float, float, float]:
    g = 1 / math.sqrt(1 + 3 * other.phi**2 / math.pi**2)
    return g, 1 / (1 + math.exp(-g * (player.mu - other.mu + side * lead))), score


def f_of(player: Player, v: float, delta: float, tau: float, x: float) -> float:
    """The published f, of x = ln σ'²."""
    spread = player.phi**2 + v + math.exp(x)
    surprise = math.exp(x) * (delta**2 - spread) / (2 * spread**2)
    return surprise - (x - math.log(player.sigma**2)) / tau**2


def new_volatility(player: Player, v: float, delta: float, rules: Rules) -> float:
    def f(x: float) -> float:
        return f_of(player, v, delta, rules.tau, x)

    a = start = math.log(player.sigma**2)
    if delta**2 > player.phi**2 + v:
        b = math.log(delta**2 - player.phi**2 - v)
    else:
        k = 1
        while f(start - k * rules.tau) < 0:
            k += 1
        b = start - k * rules.tau
    f_a, f_b = f(a), f(b)
    while abs(b - a) > rules.epsilon and f_b != 0:
        c = a + (a - b) * f_a / (f_b - f_a)
        f_c = f(c)
        if f_c * f_b <= 0:
            a, f_a = b, f_b
        else:
            f_a /= 2
        if b == c:
            break
        b, f_b = c, f_c
    return math.exp(b / 2)


def rate_all(ratings: Ratings, duels: Duels, rules: Rules) -> list[tuple[float, float, float]]:
    """What a period makes of every player; of those without games, what they had."""
    assert ratings.deviation is not None
    assert ratings.volatility is not None
    columns = (ratings.value.tolist(), ratings.deviation.tolist(), ratings.volatility.tolist())
    rows = list(zip(*columns, strict=True))
    players = [Player.of(*row) for row in rows]
    sides = [0.0] * len(duels) if duels.side is None else duels.side.tolist()
    games: list[list[Game]] = [[] for _ in players]
    for a, b, score, side in zip(
        duels.first.tolist(), duels.second.tolist(), duels.score.tolist(), sides, strict=True
    ):
        games[a].append((players[b], score, side))
        games[b].append((players[a], 1 - score, -side))
    return [
        rate(player, played, rules) if played else row
        for player, played, row in zip(players, games, rows, strict=True)
    ]
