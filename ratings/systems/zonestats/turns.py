"""Contests one after the other, cut into turns of contests that share no player.

A contest's turn comes after the turns of every earlier contest of its players, so what is played
turn by turn, each turn as arrays, equals what is played contest by contest.
"""

from itertools import pairwise

import numpy as np

from ratings.systems.arrays import Ints

__all__ = ["turns_of"]


def turns_of(starts: Ints, player: Ints) -> list[Ints]:
    """The contests of each turn, in the order of the turns: int64 arrays, none empty.

    `starts` is int64 of length m + 1, `player` of length r, as in `Contests`.
    """
    if len(starts) < 2:
        return []
    turn = _count_turns(starts.tolist(), player.tolist())
    order = np.argsort(turn, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(turn[order])) + 1)


def _count_turns(starts: list[int], player: list[int]) -> Ints:
    latest: dict[int, int] = {}
    turns = np.empty(len(starts) - 1, dtype=np.int64)
    for contest, (low, high) in enumerate(pairwise(starts)):
        players = player[low:high]
        turn = max([latest.get(one, -1) for one in players]) + 1
        turns[contest] = turn
        latest.update(dict.fromkeys(players, turn))
    return turns
