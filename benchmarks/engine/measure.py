"""Rates games with one of our systems; prints the seconds and the peak memory of the process, in MB."""

import resource
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from ratings.systems import Contests, Duels, System, create


def instant(system: System, games: dict[str, Any]) -> Callable[[], None]:
    """All games in their sequence, each an event of its own."""
    duels = Duels(games["first"], games["second"], games["score"])
    players = int(games["players"])
    return lambda: _discard(system.rate(system.initial(players), duels))


def by_period(system: System, games: dict[str, Any]) -> Callable[[], None]:
    """Period after period: deviations grow, then all games of the period at once."""
    bounds = np.flatnonzero(np.diff(games["period"], prepend=-1, append=-1)).tolist()
    duels = Duels(games["first"], games["second"], games["score"])
    parts = [duels.part(start, stop) for start, stop in pairwise(bounds)]
    players = int(games["players"])

    def play() -> None:
        ratings = system.initial(players)
        for part in parts:
            ratings = system.rate(system.age(ratings, 1.0), part)
        _discard(ratings)

    return play


def teams(system: System, games: dict[str, Any]) -> Callable[[], None]:
    """All matches of teams in their sequence."""
    contests = Contests(games["contest"], games["team"], games["player"], games["rank"])
    players = int(games["players"])
    return lambda: _discard(system.rate(system.initial(players), contests))


def teams_by_period(system: System, games: dict[str, Any]) -> Callable[[], None]:
    """Period after period, as `by_period`, of matches of teams."""
    bounds = np.flatnonzero(np.diff(games["period"], prepend=-1, append=-1)).tolist()
    contests = Contests(games["contest"], games["team"], games["player"], games["rank"])
    parts = [contests.part(start, stop) for start, stop in pairwise(bounds)]
    players = int(games["players"])

    def play() -> None:
        ratings = system.initial(players)
        for part in parts:
            ratings = system.rate(system.age(ratings, 1.0), part)
        _discard(ratings)

    return play


WAYS = {
    "instant": instant,
    "period": by_period,
    "teams": teams,
    "everyone": teams,
    "everyone by period": teams_by_period,
}


def main(name: str, way: str, path: str) -> None:
    """Rate and print."""
    with np.load(path) as stored:
        games = dict(stored)
    play = WAYS[way](create(name), games)
    del games
    play()  # in a process that has rated before, as workers have: memory is there, modules are loaded
    began = time.perf_counter()
    play()
    seconds = time.perf_counter() - began
    print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def _discard(_result: object) -> None:
    """Only the time matters."""


if __name__ == "__main__":
    main(*sys.argv[1:])
