"""Elo games one after the other in plain Python, for streams with few players."""

from collections.abc import Iterable

import numpy as np

from ratings.systems.arrays import Floats, Ints
from ratings.systems.elo.game import Played, player_of_one
from ratings.systems.elo.parameters import EloParameters
from ratings.systems.elo.table import Table
from ratings.systems.status import Status

__all__ = ["play_one_by_one"]

# Of each game: what it did, and the statuses of both sides before it.
Log = tuple[list[Played], list[tuple[int, int]]]
Running = tuple[list[float], list[int], list[int]]


def play_one_by_one(
    parameters: EloParameters, table: Table, players: Ints, score: Floats, all_count: bool
) -> Log:
    """Play m games in order, writing into `table`; `players` is (2, m), `score` of the first."""
    who, where = np.unique(players, return_inverse=True)
    pairs = where.reshape(players.shape)
    running = table.value[who].tolist(), table.counted[who].tolist(), table.status[who].tolist()
    games = zip(pairs[0].tolist(), pairs[1].tolist(), score.tolist(), strict=True)
    log = _play(parameters, running, games, all_count)
    table.value[who], table.counted[who], table.status[who] = running
    return log


def _play(
    parameters: EloParameters,
    running: Running,
    games: Iterable[tuple[int, int, float]],
    all_count: bool,
) -> Log:
    """Play on lists of the players' values, counted games and statuses, writing into them."""
    value, counted, status = running
    play, needed = player_of_one(parameters), parameters.established_after
    provisional, established = int(Status.PROVISIONAL), int(Status.ESTABLISHED)
    played: list[Played] = []
    statuses: list[tuple[int, int]] = []
    for a, b, score in games:
        own, other = status[a], status[b]
        row = play(value[a], value[b], own, other, score)
        played.append(row)
        statuses.append((own, other))
        value[a], value[b] = row[6], row[7]
        counted[a] += all_count or other == established
        counted[b] += all_count or own == established
        status[a] = established if counted[a] >= needed else provisional
        status[b] = established if counted[b] >= needed else provisional
    return played, statuses
