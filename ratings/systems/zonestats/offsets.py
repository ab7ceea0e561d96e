"""What a contest moves: ZoneStats' offsets, scaled where one of them is too large."""

from dataclasses import dataclass

import numpy as np

from ratings.systems.arrays import Floats
from ratings.systems.zonestats.field import Field
from ratings.systems.zonestats.pairs import expect, pairs_of
from ratings.systems.zonestats.parameters import ZoneStatsParameters

__all__ = ["Offsets", "offsets_of"]


@dataclass(frozen=True, slots=True, eq=False)
class Offsets:
    """Of each row of a field, float64.

    met       minutes against opponents, summed over them, each at most `max_minutes`
    expected  mean over opponents of P, by the minutes against them; 0.5 where there were none
    actual    mean of 1, 0.5 and 0 likewise
    weight    rating points a full surprise is worth
    points    rating points won or lost
    """

    met: Floats
    expected: Floats
    actual: Floats
    weight: Floats
    points: Floats


def offsets_of(parameters: ZoneStatsParameters, field: Field, value: Floats) -> Offsets:
    """The offsets of contests that are simultaneous; `value` is of each row before them."""
    met, expected, actual, points = figures = np.zeros((4, len(field.player)))
    for pairs in pairs_of(field):
        # Minutes met, expected and actual in minutes, and points.
        own, other = pairs.own, pairs.other
        minutes = np.minimum(field.minutes[own], field.minutes[other])
        minutes = np.minimum(minutes, parameters.max_minutes) * pairs.opposed
        chance = expect(parameters, value[own], value[other])
        # The score per hour: s_i · m_j against s_j · m_i, which needs no division.
        with np.errstate(over="ignore"):
            mine = field.score[own] * field.minutes[other]
            theirs = field.score[other] * field.minutes[own]
        reached = (mine > theirs) + 0.5 * (mine == theirs)
        moved = (reached - chance) * (minutes * parameters.game_mult)
        sums = (minutes, minutes * chance, minutes * reached, moved)
        figures[:, pairs.low : pairs.high] = [pairs.total(figure) for figure in sums]
    shrink = np.repeat(_shrinking(parameters, field, points), field.sizes)
    has_met = met > 0
    share = np.where(has_met, met, 1.0)
    return Offsets(
        met,
        np.where(has_met, expected / share, 0.5),
        np.where(has_met, actual / share, 0.5),
        met * parameters.game_mult * shrink,
        points * shrink,
    )


def _shrinking(parameters: ZoneStatsParameters, field: Field, points: Floats) -> Floats:
    """The factor of each contest's offsets: m · game_mult / |offset| of the largest, at most 1.

    Where several are the largest, the one of the fewest minutes decides, so that the order of the
    players does not.
    """
    if not len(field):
        return np.ones(0)
    size, first = np.abs(points), field.starts[:-1]
    largest = np.maximum.reduceat(size, first)
    is_largest = size == np.repeat(largest, field.sizes)
    minutes = np.minimum.reduceat(np.where(is_largest, field.minutes, np.inf), first)
    limit = np.minimum(minutes, 1e300) * parameters.game_mult
    is_over = largest > limit
    return np.where(is_over, limit, 1.0) / np.where(is_over, largest, 1.0)
