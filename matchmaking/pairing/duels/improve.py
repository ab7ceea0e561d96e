"""Who waits on after a sweep: as few as short paths allow, and never the older for the younger.

A free place *calls* a paired one when the two accept each other. Pairs are split between two
callers, and longer paths between callers are matched anew: two more are matched. A caller who has
waited longer than the partner of the one it calls takes that partner's place. All of this improves
the list of those matched, oldest first, at the first place at which the list changes: settling
ends.
"""

import numpy as np

from matchmaking.pairing.duels.choosing import choose_best_first
from matchmaking.pairing.duels.completing import complete
from matchmaking.pairing.duels.field import Field
from matchmaking.pairing.duels.growing import match_along_paths
from matchmaking.pairing.duels.matching import Matching
from matchmaking.pairing.duels.splitting import split_pairs
from ratings.systems.arrays import Ints

__all__ = ["settle"]


def settle(field: Field, matching: Matching, near: Ints, *, depth: int) -> None:
    """Complete the matching, then let callers in until none could gain by one swap.

    near, depth  as for `match_along_paths`
    """
    while True:
        complete(field, matching)
        free = matching.free()
        calls = field.around(free)
        if not (
            split_pairs(field, matching, calls)
            or match_along_paths(field, matching, calls, near, depth=depth)
            or _swap_in(field, matching, field.outlasting(calls, free, matching.partner))
        ):
            return


def _swap_in(field: Field, matching: Matching, calls: Ints) -> bool:
    """Let callers take the places of partners who have waited less; whether anybody could."""
    caller, called = calls.T
    dropped = matching.partner[called]
    loss = field.cost(caller, called) - field.cost(called, dropped)
    # The oldest caller first, and of each caller the swap that costs least.
    order = np.lexsort((loss, field.rank[caller]))
    order = order[np.diff(caller[order], prepend=-1) != 0]
    claims = np.stack((caller, called, dropped), axis=1)[order]
    chosen = claims[choose_best_first(claims, size=len(field))]
    matching.join(chosen[:, 0], chosen[:, 1])
    matching.release(chosen[:, 2])
    return bool(len(chosen))
