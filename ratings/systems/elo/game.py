"""One Elo game between two players with its stages, for arrays of games and for one.

Of two players of unequal status the less established one is computed first, and the other
against that new rating. Both versions do the same operations in the same order: equal to the bit.
"""

from collections.abc import Iterable
from typing import NamedTuple, Self

import numpy as np

from ratings.systems.arrays import Bools, Floats, Ints, Statuses
from ratings.systems.elo.curve import Curve
from ratings.systems.elo.parameters import EloParameters
from ratings.systems.elo.weights import k_of_statuses, rating_share_one, weights
from ratings.systems.points import Game, Played, Running
from ratings.systems.state import Status

__all__ = ["play_in_order", "rate_games", "rate_plainly"]

_KINDS = np.int8(len(Status))
_ALIKE = len(Status) + 1  # the step from K of one status against itself to the next

# Scores and sides of the first players.
Outcomes = tuple[Floats, Floats | None]


def rate_games(
    parameters: EloParameters,
    curve: Curve,
    before: Floats,
    status: Statuses,
    results: Outcomes,
) -> tuple[Floats, Floats, Floats]:
    """Rate games that share no player: (expected, K, after), each of shape (2, m).

    `curve` is that of the parameters; `before` and `status` are of shape (2, m), `results` the
    scores and sides of the first players, of length m.
    """
    score, side = results
    k = weights(parameters, before, status, status[::-1])
    first = curve.expect(before[0] - before[1], side)
    expected, surprise = np.stack((first, 1.0 - first)), score - first
    after = np.stack((before[0] + k[0] * surprise, before[1] - k[1] * surprise))
    np.maximum(after, parameters.floor, out=after)
    staged = Staged.of(status)
    if staged.games.size:
        weight = k.take(staged.early), k.take(staged.late)
        figures = staged.figures(before)
        again = staged.rate(curve, results, weight, figures, surprise, after, parameters.floor)
        expected.put(staged.late, again)
    return expected, k, after


def rate_plainly(
    k_by_status: Floats,
    curve: Curve,
    rating: Floats,
    status: Statuses,
    results: Outcomes,
    floor: float,
) -> None:
    """Turn `rating`, shape (2, m), into `after` of `rate_games`, equal to the bit.

    For games in which ratings do not change K. `k_by_status` is `k_of_statuses`, `floor` that of the
    parameters. Both players of a game mostly have one status and hence one K.
    """
    score, side = results
    surprise = score - curve.expect(rating[0] - rating[1], side)
    staged = Staged.of(status)
    before = staged.figures(rating) if staged.games.size else None
    points = k_by_status[::_ALIKE].take(status[0])
    points *= surprise
    rating[0] += points
    rating[1] -= points
    np.maximum(rating, floor, out=rating)
    if before is not None:
        early, late = status.take(staged.early), status.take(staged.late)
        weight = k_by_status.take(_KINDS * early + late), k_by_status.take(_KINDS * late + early)
        staged.rate(curve, results, weight, before, surprise, rating, floor)


class Staged(NamedTuple):
    """The games of a wave whose players are of unequal status.

    games         int64, their positions among the m games
    is_second     bool, whether the second player is the more established one, who is rated late
    early, late   int64, the indexes of both in figures of shape (2, m), made flat
    """

    games: Ints
    is_second: Bools
    early: Ints
    late: Ints

    @classmethod
    def of(cls, status: Statuses) -> Self:
        games, m = np.flatnonzero(status[0] != status[1]), status.shape[1]
        is_second = status[0].take(games) < status[1].take(games)
        late = games + is_second * m
        return cls(games, is_second, 2 * games + m - late, late)

    def figures(self, rating: Floats) -> tuple[Floats, Floats]:
        """Of `rating`, shape (2, m), those of early and of late."""
        return rating.take(self.early), rating.take(self.late)

    def rate(
        self,
        curve: Curve,
        results: Outcomes,
        weight: tuple[Floats, Floats],
        before: tuple[Floats, Floats],
        surprise: Floats,
        after: Floats,
        floor: float,
    ) -> Floats:
        """Write their new ratings; the scores expected of those rated late, who meet new ratings.

        `weight` is K and `before` the rating of early and of late, `surprise` (length m) the first
        players', `after` (shape (2, m), contiguous) where to write.
        """
        score, side = results
        gain = weight[0] * surprise.take(self.games)
        met = np.maximum(before[0] + np.where(self.is_second, gain, -gain), floor)
        own, reached = before[1], score.take(self.games)
        if side is not None:  # as those see it who are rated late
            side = side.take(self.games)
            side = np.where(self.is_second, -side, side)
        again = curve.expect(own - met, side)
        after.put(self.early, met)
        late = own + weight[1] * (np.where(self.is_second, 1.0 - reached, reached) - again)
        after.put(self.late, np.maximum(late, floor))
        return again


def play_in_order(
    parameters: EloParameters,
    running: Running,
    games: Iterable[Game],
    *,
    all_count: bool,
    log: list[Played] | None,
) -> None:
    """Play games in plain Python, writing into the lists `running`, and `log`."""
    value, progress = running
    expect, table, needed = (
        parameters.curve.for_one(),
        k_of_statuses(parameters),
        parameters.established_after,
    )
    has_shares, floor = parameters.k_by_rating != "none", parameters.floor
    for a, b, score, side in games:
        first, second, own, other = value[a], value[b], progress[a], progress[b]
        status, rival = (own >= 0) + (own >= needed), (other >= 0) + (other >= needed)
        k, k_other = table[3 * status + rival], table[3 * rival + status]
        if has_shares:
            k *= rating_share_one(parameters, first)
            k_other *= rating_share_one(parameters, second)
        e = expect(first - second, side)
        e_other, surprise = 1.0 - e, score - e
        after, after_other = (
            max(first + k * surprise, floor),
            max(second - k_other * surprise, floor),
        )
        if status < rival:
            e_other = expect(second - after, -side)
            after_other = max(second + k_other * ((1.0 - score) - e_other), floor)
        elif rival < status:
            e = expect(first - after_other, side)
            after = max(first + k * (score - e), floor)
        value[a], value[b] = after, after_other
        progress[a] = (own if status else ~own) + (all_count or rival == 2)
        progress[b] = (other if rival else ~other) + (all_count or status == 2)
        if log is not None:
            log.append((first, second, e, e_other, k, k_other, after, after_other, status, rival))
