"""What a strategy finds: which tickets meet, in which teams, and which wait on."""

from dataclasses import dataclass

import numpy as np

from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Floats, Ints

__all__ = ["Pairs", "ProposedMatches", "pairs_as_matches", "row_pairs"]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ProposedMatches:
    """m matches of s tickets in all, and the tickets left over; tickets are positions in `Tickets`.

    Long format, length s, a row a ticket, the rows of a match together, teams in their order:
    match    int64, 0..m-1, never falling
    ticket   int64, each once at most
    team     int64, 0..k-1; the first team plays the better side where there is one
    Length m:
    gap      float64, rating points between the strongest and the weakest team, by their means
    cost     float64, seconds: the sum of what the tickets dislike in each other
    chance   float64, score expected of the first team, 0..1; nan with more than two teams
    map      int64, position in the queue's maps; -1 for none
    left     int64, positions of those who wait on, who has waited longest first
    """

    match: Ints
    ticket: Ints
    team: Ints
    gap: Floats
    cost: Floats
    chance: Floats
    map: Ints
    left: Ints

    def __len__(self) -> int:
        return len(self.gap)

    @property
    def starts(self) -> Ints:
        """int64, length m + 1: the first row of each match, and s."""
        return np.searchsorted(self.match, np.arange(len(self) + 1))


def row_pairs(match: Ints) -> tuple[Ints, Ints]:
    """Of every two rows of one match the earlier and the later; `match` of each row never falls."""
    rows = np.arange(len(match))
    after = np.searchsorted(match, match, side="right") - rows - 1
    one = np.repeat(rows, after)
    return one, one + 1 + np.arange(len(one)) - np.repeat(np.cumsum(after) - after, after)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Pairs:
    """m pairs and the tickets left over, as positions in the `Tickets` that were paired.

    first   int64 (m,), whoever of the pair has waited longer; the longest wait of all comes first
    second  int64 (m,), the other one
    gap     float64 (m,), rating points between the two
    left    int64, positions of those who wait on, who has waited longest first
    """

    first: Ints
    second: Ints
    gap: Floats
    left: Ints

    @classmethod
    def of(cls, tickets: Tickets, pairs: Ints, rank: Ints) -> "Pairs":
        """In their order, of pairs in any.

        pairs  int64 (m, 2), positions of `tickets`
        rank   int64, of each ticket: 0 for whoever has waited longest
        """
        one, other = pairs.T
        is_older = rank[one] < rank[other]
        first, second = np.where(is_older, (one, other), (other, one))
        by_age = np.argsort(rank[first])
        first, second = first[by_age], second[by_age]
        is_left = np.ones(len(tickets), dtype=np.bool_)
        is_left[first] = is_left[second] = False
        left = np.flatnonzero(is_left)
        gap = np.abs(tickets.rating[first] - tickets.rating[second])
        return cls(first=first, second=second, gap=gap, left=left[np.argsort(rank[left])])

    def __len__(self) -> int:
        return len(self.first)

    @property
    def share(self) -> float:
        """Share of the tickets that found a partner, 0 to 1; 1.0 where nobody waited."""
        matched = 2 * len(self)
        return matched / (matched + self.left.size) if matched + self.left.size else 1.0


def pairs_as_matches(pairs: Pairs, cost: Floats) -> ProposedMatches:
    """The pairs in their order, no map and no sides chosen, and no chance known yet.

    cost  float64 (m,), seconds, of each pair
    """
    m = len(pairs)
    return ProposedMatches(
        match=np.repeat(np.arange(m), 2),
        ticket=np.stack((pairs.first, pairs.second), axis=1).ravel(),
        team=np.tile(np.arange(2), m),
        gap=pairs.gap,
        cost=cost,
        chance=np.full(m, np.nan),
        map=np.full(m, -1, dtype=np.int64),
        left=pairs.left,
    )
