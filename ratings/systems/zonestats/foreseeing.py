"""What ZoneStats expects of teams before a contest, when nobody's minutes are known."""

import numpy as np

from ratings.systems.arrays import Floats
from ratings.systems.contests import Contests
from ratings.systems.zonestats.field import Field
from ratings.systems.zonestats.pairs import expect, pairs_of
from ratings.systems.zonestats.parameters import ZoneStatsParameters

__all__ = ["expect_teams"]


def expect_teams(parameters: ZoneStatsParameters, value: Floats, contests: Contests) -> Floats:
    """Of each row the score expected of its team: the mean over the other teams.

    Against one team it is the mean of P over all pairs of members. `value` is of each row.
    """
    nothing = np.zeros(len(value))
    field = Field(contests.starts, contests.team, contests.player, nothing, nothing)
    if not len(field):
        return nothing
    is_first = np.diff(contests.contest, prepend=-1) != 0
    side = np.cumsum(is_first | (np.diff(contests.team, prepend=-1) != 0)) - 1
    members = np.bincount(side)[side]
    others = np.maximum.reduceat(contests.team, field.starts[:-1])[contests.contest]
    means = np.empty(len(value))
    for pairs in pairs_of(field):
        chance = expect(parameters, value[pairs.own], value[pairs.other])
        share = pairs.apart / members[pairs.other]
        means[pairs.low : pairs.high] = pairs.total(chance * share)
    of_side: Floats = np.bincount(side, weights=means / others / members).astype(float)
    foreseen: Floats = of_side[side]
    return foreseen
