"""Splitting the tickets of a match into teams: all ways by the sizes of its parties, exchanges, and the sources' rule.

Where there are too many to try all, tickets of the same size change teams while that makes them more even.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from matchmaking.pairing.teams.capacity import Roles
from ratings.systems.arrays import Floats, Ints

__all__ = ["Splits", "imparity", "split_by_rule", "splits_of", "swap"]

# Nine against nine players who came alone have 24,310.
MOST_SPLITS = 25_000
_MOST_SWAPS = 500
_LEAST_GAIN = 1e-6
_MOST_STEPS = 50_000
_MOST_PAIRS = 100_000  # of tickets looked at in a match; of more, those of two teams only


def imparity(sizes: Ints, team: Ints, count: int, size: int) -> Floats:
    """How unlike the parties of the teams are: 0 where all have the same sizes, 1 at most.

    sizes  int64 (g,), players of each ticket
    team   int64 (S, g), its team in each split

    Of two teams the share of players whose party has no counterpart in the other team. Of more,
    the players of each size of party, the most of a team less the fewest, summed and halved.
    """
    unlike = np.zeros(len(team))
    rows = np.arange(len(team))[:, np.newaxis] * count
    for party in np.unique(sizes):
        counted = np.bincount((team[:, sizes == party] + rows).ravel(), minlength=rows.size * count)
        players = party * counted.reshape(len(team), count)
        unlike += players.max(axis=1) - players.min(axis=1)
    share: Floats = np.minimum(unlike / (2 * size), 1.0)
    return share


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Splits:
    """S ways of splitting g tickets into k teams, teams without numbers: no two are the same.

    team      int64 (S, g), the team of each ticket; of teams the one of an earlier ticket is lower
    imparity  float64 (S,), 0..1: how far the teams are from having parties of the same sizes
    """

    team: Ints
    imparity: Floats

    def __len__(self) -> int:
        return len(self.team)


@lru_cache(maxsize=64)
def splits_of(sizes: tuple[int, ...], count: int, size: int) -> Splits | None:
    """Every split of parties of these sizes into `count` teams of `size`; None: too many to look at.

    In lexical order. Of 10 who came alone into two teams: 126. Shared: not to be written into.
    """
    team = np.zeros((1, 0), dtype=np.int64)
    free, begun = np.full((1, count), size), np.zeros((1, 1), dtype=np.int64)
    for party in sizes:
        row, to = np.nonzero((free >= party) & (np.arange(count) <= begun))
        if len(row) > 2 * MOST_SPLITS:
            return None
        team, free = np.column_stack((team[row], to)), free[row]
        free[np.arange(len(row)), to] -= party
        begun = np.maximum(begun[row], to[:, np.newaxis] + 1)
    if len(team) > MOST_SPLITS:
        return None
    return Splits(team=team, imparity=imparity(np.array(sizes), team, count, size))


def swap(
    points: Floats,
    sizes: Ints,
    team: Ints,
    allows: Callable[[Ints], bool] | None = None,
    *,
    apart: float = 0.0,
) -> Ints:
    """The teams after all exchanges of two tickets that bring the strongest and the weakest nearer.

    points, sizes  of each ticket: rating points it adds to its team, its players
    team           int64, of each ticket
    allows         whether teams are possible; None: all are
    apart          rating points between two totals that count as even

    Ends when no exchange between the strongest and any other team, or the weakest and any other,
    brings the spread of the totals nearer to `apart`; a local best.
    """
    team = team.copy()
    for _ in range(_MOST_SWAPS):
        totals = np.bincount(team, weights=points).astype(np.float64)
        # Tickets of the strongest or the weakest team, each with those of its size in other teams.
        strongest, weakest = int(totals.argmax()), int(totals.argmin())
        extreme = np.flatnonzero((team == strongest) | (team == weakest))
        others = np.arange(len(team))
        if extreme.size * others.size > _MOST_PAIRS:
            extreme, others = np.flatnonzero(team == strongest), np.flatnonzero(team == weakest)
        fits = team[extreme][:, np.newaxis] != team[others]
        fits &= sizes[extreme][:, np.newaxis] == sizes[others]
        row, column = np.nonzero(fits)
        one, other = extreme[row], others[column]
        # How far apart the strongest and the weakest team would be, if `one` won what `other` lost.
        pair, gain = (team[one], team[other]), points[other] - points[one]
        first, second = totals[pair[0]] + gain, totals[pair[1]] - gain
        high = np.maximum(np.maximum(first, second), _largest_without(totals, *pair))
        low = np.minimum(np.minimum(first, second), -_largest_without(-totals, *pair))
        after = np.abs(high - low - apart)
        better = np.flatnonzero(after < abs(np.ptp(totals) - apart) - _LEAST_GAIN)
        for best in better[np.argsort(after[better], kind="stable")]:
            both = [one[best], other[best]]
            team[both] = team[both[::-1]]
            if allows is None or allows(team):
                break
            team[both] = team[both[::-1]]
        else:
            return team
    return team


def _largest_without(totals: Floats, one: Ints, other: Ints) -> Floats:
    """The largest total of those that are neither of the team `one` nor of the team `other`."""
    best = np.argsort(-totals, kind="stable")[:3]
    largest = np.full(len(one), -np.inf)
    for team in best[::-1]:
        is_third = (one != team) & (other != team)
        largest[is_third] = totals[team]
    return largest


def split_by_rule(
    points: Sequence[float],
    sizes: Sequence[int] | None = None,
    *,
    count: int,
    size: int,
    roles: Roles | None = None,
    missing: Sequence[int] = (),
) -> list[int] | None:
    """The team of each ticket; None where none was found that leaves parties and roles whole.

    points   rating points that each ticket adds to its team's total
    sizes    players of each; left out: one
    roles    what each of the `count` teams of `size` needs, with what each ticket is `missing`

    The strongest goes to the first team, the next to the second, and so on; from then on always to
    the team with the lowest total among those with a free slot, of equals to the earlier. Parties
    go before those who came alone, the largest first, as only they can fail to find room; and a
    choice that leaves somebody without room is taken back.

    3 against 3 with 2000, 1000, 400, 300, 200, 100: 2000, 200, 100 against 1000, 400, 300.
    """
    sizes = [1] * len(points) if sizes is None else sizes
    order = sorted(range(len(points)), key=lambda ticket: (-sizes[ticket], -points[ticket], ticket))
    lacks = list(missing) or [0] * len(points)
    free, total, lacking = [size] * count, [0.0] * count, [0] * count
    # Depth first: the first way in the rule's order that leads to the end. What is left decides
    # whether those after it find room, whoever is where: a rest that has led nowhere is not tried again.
    choices: list[Iterator[int]] = []
    given: list[int] = []
    dead: set[tuple[object, ...]] = set()
    for _ in range(_MOST_STEPS):
        at = len(given)
        if at == len(order):
            teams = [0] * len(order)
            for ticket, team in zip(order, given, strict=True):
                teams[ticket] = team
            return teams
        rest = (at, *sorted(zip(free, lacking, strict=True)))
        if len(choices) == at:
            ticket = order[at]
            fitting = [
                team
                for team in range(count)
                if free[team] >= sizes[ticket]
                and (roles is None or roles.allows_team(lacking[team] + lacks[ticket]))
            ]
            # The first tickets go to a team each.
            fitting.sort(key=lambda team: (team < at < count, total[team], team))
            choices.append(iter(() if rest in dead else fitting))
        if (chosen := next(choices[-1], None)) is not None:
            given.append(chosen)
            ticket, team, sign = order[at], chosen, 1
        elif given:
            choices.pop()
            dead.add(rest)
            ticket, team, sign = order[at - 1], given.pop(), -1
        else:
            return None
        free[team] -= sign * sizes[ticket]
        total[team] += sign * points[ticket]
        lacking[team] += sign * lacks[ticket]
    return None
