"""Thinning to a core in which everybody has met everybody often enough."""

import heapq

import numpy as np

from ratings.systems.arrays import Floats, Ints
from ratings.systems.static_ranking.matrix import FragMatrix, Pairs

__all__ = ["thin_to_core"]


def thin_to_core(matrix: FragMatrix, *, frags: int) -> Ints:
    """Players of whom every two have at least so many frags between them: positions, ascending.

    Leaves out, one after the other, whoever has met the fewest of those left often enough; of
    several the one with the fewest frags in such pairs, then the last in the matrix. The largest
    core there is would take too long to find; this one is large where the pool has a regular
    crowd. Empty when no two have met so often. Raises ValueError unless `frags` is 1 or more.
    """
    if frags < 1:
        raise ValueError(f"frags = {frags}: must be 1 or more")
    pairs = matrix.pairs()
    often = pairs.frags >= frags
    enough = Pairs(pairs.first[often], pairs.second[often], pairs.won[often], pairs.lost[often])
    # With whom each player has met often enough; players who met nobody so are left out.
    partners: dict[int, set[int]] = {}
    for first, second in zip(enough.first.tolist(), enough.second.tolist(), strict=True):
        partners.setdefault(first, set()).add(second)
        partners.setdefault(second, set()).add(first)
    n, counts = matrix.players, enough.frags
    total: Floats = np.bincount(enough.first, weights=counts, minlength=n).astype(float)
    weight = (total + np.bincount(enough.second, weights=counts, minlength=n)).tolist()
    # Take away who has the fewest partners left until each is everybody's partner.
    heap = [(len(others), weight[one], -one) for one, others in partners.items()]
    heapq.heapify(heap)
    while heap:
        degree, _, negative = heapq.heappop(heap)
        one = -negative
        if one not in partners:
            continue  # out already: noted again, lower, whenever a partner went
        if degree == len(partners) - 1:
            break
        for other in partners.pop(one):
            partners[other].remove(one)
            heapq.heappush(heap, (len(partners[other]), weight[other], -other))
    return np.array(sorted(partners) if len(partners) > 1 else [], dtype=np.int64)
