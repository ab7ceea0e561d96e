"""Pairing neighbours in the line as well as neighbours alone can be paired.

Where each ticket and the next one above accept each other they form a *chain*. A chain of an even
number is paired off in one way only: first with second, third with fourth, and so on. In a chain of
an odd number one waits on, the first, third, fifth, …: whoever has waited least of these. That is
the largest matching of the chain, and no other of that size serves older tickets. Among tickets
that all accept each other it has the smallest sum of gaps, too.
"""

import numpy as np

from matchmaking.pairing.duels.matching import Matching
from matchmaking.pairing.duels.nearest import allows_step
from matchmaking.pairing.duels.rating_line import Line
from ratings.systems.arrays import Bools, Ints

__all__ = ["pair_chains", "pairs_with_next"]


def pair_chains(line: Line, matching: Matching) -> None:
    """Pair off the chains of the free places, then the chains of those left, and so on."""
    while (free := matching.free()).size > 1:
        within = line.only(free)
        linked = allows_step(within, 1)
        if not linked.any():
            return
        lower = np.flatnonzero(pairs_with_next(within.rank, linked))
        matching.join(free[lower], free[lower + 1])


def pairs_with_next(rank: Ints, linked: Bools) -> Bools:
    """Whether each place is paired with the next above; `linked` says which chains go on to it."""
    place = np.arange(len(rank))
    starts = np.flatnonzero(np.concatenate(([True], ~linked)))
    sizes = np.diff(starts, append=len(rank))
    offset = place - np.repeat(starts, sizes)
    can_wait = (offset % 2 == 0) & (np.repeat(sizes, sizes) % 2 == 1)
    youngest = np.maximum.reduceat(np.where(can_wait, rank, -1), starts)
    waits = can_wait & (rank == np.repeat(youngest, sizes))
    behind = np.cumsum(waits)  # chains of even size have nobody who waits
    behind -= np.repeat(behind[starts] - waits[starts], sizes)
    pairs: Bools = ~waits & ((offset - behind) % 2 == 0)
    return pairs
