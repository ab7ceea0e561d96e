"""Elo games one after the other in plain Python, for streams with few players."""

import numpy as np

from ratings.systems.arrays import Floats, Ints
from ratings.systems.elo.game import Played, player_of_one
from ratings.systems.elo.parameters import EloParameters
from ratings.systems.elo.table import Journal, Table
from ratings.systems.status import Status

__all__ = ["play_one_by_one"]


def play_one_by_one(
    parameters: EloParameters,
    table: Table,
    players: Ints,
    score: Floats,
    *,
    all_count: bool,
    games: Ints,
    journal: Journal | None,
) -> None:
    """Play m games in order; `players` is (2, m), `games` their rows in `journal`."""
    who, where = np.unique(players, return_inverse=True)
    first, second = where.reshape(players.shape).tolist()
    running = (table.value[who].tolist(), table.counted[who].tolist(), table.status[who].tolist())
    played = _play(parameters, running, (first, second, score.tolist()), all_count)
    for column, numbers in zip((table.value, table.counted, table.status), running, strict=True):
        column[who] = numbers
    if journal is not None:
        _note(journal, games, played)


def _play(
    parameters: EloParameters,
    running: tuple[list[float], list[int], list[int]],
    stream: tuple[list[int], list[int], list[float]],
    all_count: bool,
) -> list[Played]:
    value, counted, status = running
    play, needed = player_of_one(parameters), parameters.established_after
    established = int(Status.ESTABLISHED)
    played: list[Played] = []
    for a, b, score in zip(*stream, strict=True):
        own, other = status[a], status[b]
        row = play(value[a], value[b], own, other, score)
        played.append(row)
        value[a], value[b] = row[6], row[7]
        counted[a] += all_count or other == established
        counted[b] += all_count or own == established
        status[a] = 2 if counted[a] >= needed else 1
        status[b] = 2 if counted[b] >= needed else 1
    return played


def _note(journal: Journal, games: Ints, played: list[Played]) -> None:
    # From (game, figure, side) to (figure, side, game).
    figures = np.array(played).reshape(-1, 4, 2).transpose(1, 2, 0)
    journal.before[:, games], journal.expected[:, games] = figures[0], figures[1]
    journal.weight[:, games], journal.after[:, games] = figures[2], figures[3]
