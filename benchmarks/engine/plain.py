"""Matches of everyone for themselves in Elo and Glicko as plain Python loops: what their rule costs without arrays.

Each of n players plays n - 1 games of weight 1/(n - 1), all against the ratings before the match, or before the period.
Elo has its statuses and stages; Glicko its growth, sums and renewal, in as many periods as ours.
"""

import math
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from benchmarks.engine.games import PERIODS
from ratings.systems.elo import EloParameters
from ratings.systems.glicko import GlickoParameters

__all__ = ["elo", "glicko"]

_Q = math.log(10) / 400
# Of a match its players and their places.
Match = list[tuple[int, int]]


def elo(matches: list[Match], n: int) -> list[float]:
    """The ratings after all matches, each an event of its own."""
    given = EloParameters()
    table = (given.k_new, given.k_provisional, given.k_established)
    value, games, counted = [given.start] * n, [0] * n, [0] * n
    for match in matches:
        status = [
            (games[who] > 0) + (games[who] > 0 and counted[who] >= given.established_after)
            for who, _ in match
        ]
        before = [value[who] for who, _ in match]
        newest, others = list(before), len(match) - 1
        for stage in (0, 1, 2):
            seen = list(newest)
            for own, (_, place) in enumerate(match):
                if status[own] != stage:
                    continue
                surprise, unsettled = 0.0, 0
                for other, (_, their) in enumerate(match):
                    if other != own:
                        chance = 1 / (1 + 10 ** ((seen[other] - before[own]) / 400))
                        surprise += (place < their) + (place == their) / 2 - chance
                        unsettled += status[other] != 2
                k = table[stage] * (1 - unsettled / others / 2 if stage == 2 else 1)
                newest[own] = before[own] + k * surprise / others
        established = status.count(2)
        for own, (who, _) in enumerate(match):
            value[who] = newest[own]
            games[who] += 1
            counted[who] += established > (status[own] == 2)
    return value


def glicko(matches: list[Match], n: int) -> list[float]:
    """The ratings after all periods."""
    given = GlickoParameters()
    value, deviation = [given.start] * n, [given.deviation_start] * n
    bounds = [len(matches) * period // PERIODS for period in range(PERIODS + 1)]
    for start, stop in pairwise(bounds):
        deviation = [
            min(math.sqrt(one * one + given.c * given.c), given.deviation_max) for one in deviation
        ]
        slope = [1 / math.sqrt(1 + 3 * _Q * _Q * one * one / math.pi**2) for one in deviation]
        information, surprise = [0.0] * n, [0.0] * n
        for match in matches[start:stop]:
            others = len(match) - 1
            for who, place in match:
                known, more = 0.0, 0.0
                for rival, their in match:
                    if rival != who:
                        g = slope[rival]
                        chance = 1 / (1 + 10 ** (-g * (value[who] - value[rival]) / 400))
                        known += g * g * chance * (1 - chance)
                        more += g * ((place < their) + (place == their) / 2 - chance)
                information[who] += known / others
                surprise[who] += more / others
        for who in range(n):
            if information[who]:
                variance = 1 / (1 / deviation[who] ** 2 + _Q * _Q * information[who])
                value[who] += _Q * variance * surprise[who]
                deviation[who] = max(math.sqrt(variance), given.deviation_min)
    return value


SYSTEMS: dict[str, Callable[[list[Match], int], list[float]]] = {"elo": elo, "glicko": glicko}


def matches_of(games: dict[str, Any], number: int) -> list[Match]:
    """The first matches as lists."""
    size = int(games["players_of_match"])
    rows = list(zip(games["player"].tolist(), games["rank"].tolist(), strict=True))
    return [rows[start : start + size] for start in range(0, number * size, size)]


def main(name: str, path: str, number: str) -> None:
    """Rate the first matches and print the seconds it took."""
    with np.load(path) as stored:
        games = dict(stored)
    matches, players = matches_of(games, int(number)), int(games["players"])
    began = time.perf_counter()
    SYSTEMS[name](matches, players)
    print(time.perf_counter() - began)


if __name__ == "__main__":
    main(*sys.argv[1:])
