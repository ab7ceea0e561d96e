"""Elo games one after the other in plain Python, for streams with few players."""

from collections.abc import Iterable

import numpy as np

from ratings.systems.arrays import Floats, Ints
from ratings.systems.elo.game import Played, player_of_one
from ratings.systems.elo.parameters import EloParameters
from ratings.systems.elo.table import Table

__all__ = ["play_one_by_one"]

# Of each game: what it did, and the statuses of both sides before it.
Log = tuple[list[Played], list[tuple[int, int]]]
Running = tuple[list[float], list[int]]


def play_one_by_one(
    parameters: EloParameters,
    table: Table,
    players: Ints,
    results: tuple[Floats, Floats],
    all_count: bool,
) -> Log:
    """Play m games in order, writing into `table`.

    `players` is of shape (2, m), `results` are scores and sides of the first. Returns what each
    game did.
    """
    who, where = np.unique(players, return_inverse=True)
    pairs = where.reshape(players.shape)
    running = table.value[who].tolist(), table.progress[who].tolist()
    columns = (pairs[0], pairs[1], *results)
    games = zip(*(column.tolist() for column in columns), strict=True)
    log = _play(parameters, running, games, all_count)
    table.value[who], table.progress[who] = running
    return log


def _play(
    parameters: EloParameters,
    running: Running,
    games: Iterable[tuple[int, int, float, float]],
    all_count: bool,
) -> Log:
    """Play on lists of the players' values and progress, writing into them."""
    value, progress = running
    play, needed = player_of_one(parameters), parameters.established_after
    played: list[Played] = []
    statuses: list[tuple[int, int]] = []
    for a, b, score, side in games:
        own, other = progress[a], progress[b]
        status = (own >= 0) + (own >= needed)
        status_other = (other >= 0) + (other >= needed)
        row = play(value[a], value[b], status, status_other, score, side)
        played.append(row)
        statuses.append((status, status_other))
        value[a], value[b] = row[6], row[7]
        progress[a] = (own if status else ~own) + (all_count or status_other == 2)
        progress[b] = (other if status_other else ~other) + (all_count or status == 2)
    return played, statuses
