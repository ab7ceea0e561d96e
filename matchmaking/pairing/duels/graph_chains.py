"""A first matching: neighbours in each strand of leanings, as chains of neighbours are paired."""

import numpy as np

from matchmaking.pairing.duels.candidate_graph import Crowd
from matchmaking.pairing.duels.chaining import pairs_with_next
from matchmaking.pairing.duels.matching import FREE, Matching

__all__ = ["pair_in_strands"]


def pair_in_strands(crowd: Crowd, matching: Matching) -> None:
    """Pair off the chains of free places of every strand, then the chains of those left, and so on.

    Whoever stands in several strands is paired in the longest of them: there the neighbours are
    nearest.
    """
    strands = crowd.leaning.apart()
    while True:
        among = strands.only(matching.partner == FREE)
        lower, upper = among.place[:-1], among.place[1:]
        linked = among.strand[:-1] == among.strand[1:]
        asked = np.flatnonzero(linked)
        linked[asked] = crowd.allows(lower.take(asked), upper.take(asked))
        if not linked.any():
            return
        first = np.flatnonzero(pairs_with_next(crowd.rank.take(among.place), linked))
        matching.join(among.place.take(first), among.place.take(first + 1))
