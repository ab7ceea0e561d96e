"""Who waits on after a sweep: as few as short paths allow, and never the older for the younger.

A free place *calls* a paired one when the two accept each other. Pairs are split between two
callers, and longer paths between callers are matched anew: two more are matched. A caller who has
waited longer than the partner of the one it calls takes that partner's place. All of this improves
the list of those matched, oldest first, at the first place at which the list changes: settling
ends.
"""

import numpy as np

from matchmaking.pairing.choosing import choose_best_first
from matchmaking.pairing.completing import complete
from matchmaking.pairing.growing import match_along_paths
from matchmaking.pairing.line import Line
from matchmaking.pairing.matching import Matching
from matchmaking.pairing.nearest import accepted_around
from matchmaking.pairing.splitting import split_pairs
from ratings.systems.arrays import Ints

__all__ = ["settle"]


def settle(line: Line, matching: Matching, near: Ints, *, depth: int) -> None:
    """Complete the matching, then let callers in until none could gain by one swap.

    near, depth  as for `match_along_paths`
    """
    while True:
        complete(line, matching)
        calls = accepted_around(line, matching.free())
        if not (
            split_pairs(line, matching, calls)
            or match_along_paths(line, matching, calls, near, depth=depth)
            or _swap_in(line, matching, calls)
        ):
            return


def _swap_in(line: Line, matching: Matching, calls: Ints) -> bool:
    """Let older callers take the places of younger partners; whether anybody could."""
    caller, called = calls.T
    dropped = matching.partner[called]
    loss = line.cost(caller, called) - line.cost(called, dropped)
    # The oldest caller first, and of each caller the swap that costs least.
    order = np.lexsort((loss, line.rank[caller]))
    order = order[(line.rank[caller] < line.rank[dropped])[order]]
    order = order[np.diff(caller[order], prepend=-1) != 0]
    claims = np.stack((caller, called, dropped), axis=1)[order]
    chosen = claims[choose_best_first(claims, size=len(line))]
    matching.join(chosen[:, 0], chosen[:, 1])
    matching.release(chosen[:, 2])
    return bool(len(chosen))
