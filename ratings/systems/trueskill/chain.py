"""What the ranking of three teams or more says of their performances: messages until they settle.

The factor graph is a chain: each team is compared with the next one in the ranking. A comparison
is told what both its teams are thought to have performed without it, and tells both what the
result adds. Messages are natural parameters: precision π, and τ = precision · mean.
"""

from dataclasses import dataclass, fields

import numpy as np

from ratings.systems.arrays import Bools, Floats
from ratings.systems.trueskill.truncation import truncate
from ratings.systems.trueskill.two_teams import FURTHEST, StepAndDrop

__all__ = ["settle_chain"]

# Messages have settled when no comparison moves by more than this share of the largest figure in
# it; else after so many rounds for each team. Seen: up to 3 rounds for each team.
_TOLERANCE, _MOST_ROUNDS = 1e-13, 20


def settle_chain(mean: Floats, variance: Floats, margin: Floats, tied: Bools) -> StepAndDrop:
    """(step, drop) of each team, as `settle_two` has them: shape (k, n), k teams in n contests.

    mean, variance  (k, n), of the performance of each team, the best ranked first
    margin, tied    (k - 1, n), of each team and the next one
    """
    chain = _Chain.begin(mean, variance, margin, tied)
    step, drop = np.empty(mean.shape), np.empty(mean.shape)
    unsettled = np.arange(mean.shape[1])
    for _ in range(_MOST_ROUNDS * len(mean)):
        is_settled = chain.exchange() <= _TOLERANCE
        if is_settled.any():
            # Contests leave one by one: what one gets depends on no other.
            done = unsettled[is_settled]
            step[:, done], drop[:, done] = chain.take(is_settled).moves()
            chain, unsettled = chain.take(~is_settled), unsettled[~is_settled]
            if not unsettled.size:
                break
    step[:, unsettled], drop[:, unsettled] = chain.moves()
    return step, drop


@dataclass(frozen=True, slots=True, eq=False)
class _Chain:
    """Teams, comparisons, and the messages between them, written in place.

    down, up  (2, k, n): π and τ that each team gets from the comparison with the team above it
              in the ranking, and from that with the team below; 0 where there is none
    seen      (2, k - 1, n): mean and deviation of each difference when it was last compared
    """

    mean: Floats
    variance: Floats
    margin: Floats
    tied: Bools
    down: Floats
    up: Floats
    seen: Floats

    @classmethod
    def begin(cls, mean: Floats, variance: Floats, margin: Floats, tied: Bools) -> "_Chain":
        nothing = np.zeros((2, *mean.shape))
        # Counted from the first team, so that large ratings lose no digits.
        return cls(
            mean - mean[0],
            variance,
            margin,
            tied,
            nothing,
            nothing.copy(),
            np.zeros((2, *margin.shape)),
        )

    def take(self, contests: Bools) -> "_Chain":
        return _Chain(*(getattr(self, field.name)[..., contests] for field in fields(self)))

    def exchange(self) -> Floats:
        """Make every comparison once; the largest move of each contest.

        First every other one, then those between them: neighbours need each other's newest
        messages, the others can be made at once.
        """
        before = self.seen.copy()
        scale = np.abs(self.mean).max(axis=0)
        for first in (0, 1):
            links, below_them = slice(first, len(self.margin), 2), slice(first + 1, None, 2)
            above, above_variance = self._without(self.down, links)
            below, below_variance = self._without(self.up, below_them)
            variance = above_variance + below_variance
            spread = np.sqrt(variance)
            self.seen[:, links] = above - below, spread
            t = np.clip((above - below) / spread, -FURTHEST, FURTHEST)
            margin, tied = self.margin[links] / spread, self.tied[links]
            truncated = truncate(t.ravel(), margin.ravel(), tied.ravel())
            _, loss, left, pull = (column.reshape(t.shape) for column in truncated)
            precision, tau = loss / (left * variance), pull / (left * spread)
            share = 1 + below_variance * precision
            self.up[:, links] = precision / share, (below * precision + tau) / share
            share = 1 + above_variance * precision
            self.down[:, below_them] = precision / share, (above * precision - tau) / share
        moved: Floats = np.abs(self.seen - before) / (self.seen[1] + scale)
        largest: Floats = moved.max(axis=(0, 1))
        return largest

    def moves(self) -> StepAndDrop:
        """What all messages together say of each team."""
        precision, tau = self.down + self.up
        share = 1 + self.variance * precision
        return (tau - self.mean * precision) / share, precision / share

    def _without(self, messages: Floats, teams: slice) -> tuple[Floats, Floats]:
        """Mean and variance of teams' performances, as seen from one direction only."""
        precision, tau = messages[:, teams]
        share = 1 + self.variance[teams] * precision
        mean = (self.mean[teams] + self.variance[teams] * tau) / share
        return mean, self.variance[teams] / share
