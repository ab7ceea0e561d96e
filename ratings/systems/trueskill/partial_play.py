"""What players stand for in their team, and what they learn, where some were there for a part only.

A seat that stood empty is filled once, with the mean of those who were away from it: an absence is
no handicap, or every result would be a surprise that lifts whoever was away. Players who learned
less the shorter they were there could leave what they are about to lose; so nobody learns by less
than a floor.
`bin/bench partial-play` compares this with other rules.
"""

from typing import NamedTuple

import numpy as np

from ratings.systems.arrays import Floats, Ints

__all__ = ["LEAST_LEARNED", "Parts", "parts_of"]

# The least share, of what players stand for, by which they learn. By less it pays more to leave
# what is lost, by more it pays more to join what is won: measured.
LEAST_LEARNED = 0.75
# Shares that add up to a whole number of seats do so but for rounding.
_ROUNDING = 1e-9


class Parts(NamedTuple):
    """Of each row, 0 to 1; both are 1 for who was there from the beginning to the end.

    stands   the share of a seat whose performance is thought to be the player's
    learned  the share of what the result says of that seat by which the player moves
    """

    stands: Floats
    learned: Floats


def parts_of(share: Floats, sizes: Ints, teams: Ints) -> Parts:
    """What the shares for which players were there come to.

    share  of each row
    sizes  rows of each team, the teams of a contest one after the other
    teams  teams of each contest
    """
    if not share.size:
        return Parts(share, share)
    heads = np.cumsum(sizes) - sizes
    there = np.add.reduceat(share, heads)
    away = np.add.reduceat(1 - share, heads)
    # How many play for each team at once. As many in all teams where that can be: as the team with
    # the fewest players has, for it needed no substitutes. Else as few as their shares fill.
    first = np.cumsum(teams) - teams
    needed = np.ceil(there - _ROUNDING)
    fewest = np.repeat(np.minimum.reduceat(sizes, first), teams)
    are_equal = np.repeat(np.maximum.reduceat(needed, first), teams) <= fewest
    seats = np.where(are_equal, fewest, needed)
    empty = np.maximum(seats - there, 0.0)
    filled = np.divide(empty, away, out=np.zeros_like(away), where=away > 0)
    stands = share + (1 - share) * np.repeat(np.minimum(filled, 1.0), sizes)
    return Parts(stands, np.maximum(share, LEAST_LEARNED * stands))
