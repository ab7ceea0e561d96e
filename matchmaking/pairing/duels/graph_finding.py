"""Pairing by any conditions.

1. `chaining` pairs neighbours of each strand. 2. `settling` pairs whoever is left, finds more
matches along short paths, and lets the older in for the younger. 3. `exchanging` lowers the costs.
4. As that may have given somebody a younger partner, settle again.
"""

from matchmaking.pairing.duels.candidate_graph import Crowd
from matchmaking.pairing.duels.graph_chains import pair_in_strands
from matchmaking.pairing.duels.graph_matching import Exchange
from matchmaking.pairing.duels.improve import settle
from matchmaking.pairing.duels.matching import Matching

__all__ = ["match_crowd"]

# As in `by_rating`: how far paths and exchanges look in a strand, and how long they may get.
_REACH, _DEPTH, _ROUNDS = 8, 4, 8


def match_crowd(crowd: Crowd) -> Matching:
    """A maximal matching in which no younger ticket stands where one swap would let in an older."""
    matching = Matching(len(crowd))
    pair_in_strands(crowd, matching)
    near = crowd.near(reach=_REACH)
    settle(crowd, matching, near, depth=_DEPTH)
    Exchange(crowd, matching, near).improve(rounds=_ROUNDS)
    settle(crowd, matching, near, depth=_DEPTH)
    return matching
