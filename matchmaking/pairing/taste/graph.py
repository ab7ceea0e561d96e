"""Tastes by two steps of the graph of likes.

If A likes B and dislikes C, A is likelier to enjoy playing with those who like B, those whom B likes and those who
dislike C; and less likely with those who like C, those whom C likes and those who dislike B. Of an author's word F and
its likes L that is the sum over others of F[A, other] · F[X, other] and of F[A, other] · L[other, X].
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from matchmaking.pairing.taste.words import Words
from ratings.systems.arrays import Floats, Ints

__all__ = ["Steps", "graph_scores", "steps_between", "steps_of_pairs"]

# Two paths that agree are as good as half a word; nothing is ever as sure as a word itself.
_DOUBT = 2.0
_AT_ONCE = 100_000


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Steps:
    """What is known of p ordered pairs; every array has length p.

    direct    the first's own word on the second: 1, -1, or 0 for none
    back      the second's word on the first
    alike     -1..1: whether the two agree on others, with some doubt
    passed_on -1..1: whether those whom the first likes, or does not, like the second, with some doubt
    paths     how many paths of two steps lead from the first to the second
    """

    direct: Floats
    back: Floats
    alike: Floats
    passed_on: Floats
    paths: Floats


def graph_scores(steps: Steps) -> Floats:
    """-1..1: what the graph says; where there is a word on the very player, that."""
    ways = 0.5 * (steps.alike + steps.passed_on)
    return np.where(steps.direct != 0, steps.direct, ways)


def steps_of_pairs(words: Words, one: Ints, other: Ints) -> Steps:
    """Of these ordered pairs."""
    parts = [
        _of_some(words, one[low : low + _AT_ONCE], other[low : low + _AT_ONCE])
        for low in range(0, max(len(one), 1), _AT_ONCE)
    ]
    names = ("direct", "back", "alike", "passed_on", "paths")
    return Steps(
        **{name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
    )


def steps_between(words: Words, players: Ints) -> tuple[Ints, Ints, Steps]:
    """Of all ordered pairs of these players that the graph says anything of, as positions among them.

    From products of matrices: of thousands of pairs that is much shorter than pair by pair.
    """
    rows, liked_by = words.signed[players], words.likes[:, players]
    known, direct = abs(rows), rows[:, players]
    on_both, through = known @ known.T, known @ liked_by
    found = sparse.coo_array(on_both + through + abs(direct) + abs(direct).T)
    one, other = (ends.astype(np.int64) for ends in found.coords)
    apart = one != other
    one, other = one[apart], other[apart]
    both, ways = _at(on_both, one, other), _at(through, one, other)
    steps = Steps(
        direct=_at(direct, one, other),
        back=_at(direct, other, one),
        alike=_at(rows @ rows.T, one, other) / (both + _DOUBT),
        passed_on=_at(rows @ liked_by, one, other) / (ways + _DOUBT),
        paths=both + ways,
    )
    return one, other, steps


def _of_some(words: Words, one: Ints, other: Ints) -> Steps:
    mine, theirs = words.signed[one], words.signed[other]
    liked_by = words.likes.T.tocsr()[other]
    known = abs(mine)
    alike, on_both = _sums(mine * theirs), _sums(known * abs(theirs))
    passed, through = _sums(mine * liked_by), _sums(known * liked_by)
    return Steps(
        direct=_at(words.signed, one, other),
        back=_at(words.signed, other, one),
        alike=alike / (on_both + _DOUBT),
        passed_on=passed / (through + _DOUBT),
        paths=on_both + through,
    )


def _at(matrix: sparse.csr_array, row: Ints, column: Ints) -> Floats:
    if not len(row):  # of nothing scipy makes no array
        return np.zeros(0)
    return np.asarray(matrix[row, column], dtype=np.float64)


def _sums(rows: sparse.csr_array) -> Floats:
    total: Floats = np.asarray(rows.sum(axis=1), dtype=np.float64).ravel()
    return total
