"""Games of one against one in plain Python: faster than arrays where these would be short."""

import math
from collections.abc import Iterable

from ratings.systems.trueskill.parameters import TrueSkillParameters
from ratings.systems.trueskill.two_teams import settle_one

__all__ = ["play_in_order"]


def play_in_order(
    parameters: TrueSkillParameters,
    running: tuple[list[float], list[float], list[int]],
    games: Iterable[tuple[int, int, float]],
    margin: float,
    *,
    all_count: bool,
) -> None:
    """Play games (both players, outcome of the first) as waves do, the same to the bit.

    Writes into the lists `running`: the players' values, deviations, and games that count.
    """
    value, deviation, counted = running
    needed, limit = parameters.established_after, parameters.provisional_deviation
    noise, growth = 2 * parameters.beta * parameters.beta, parameters.tau * parameters.tau
    lowest = parameters.deviation_min
    for a, b, outcome in games:
        own, other = deviation[a], deviation[b]
        is_sure = counted[a] >= needed and own <= limit
        is_other_sure = counted[b] >= needed and other <= limit
        own, other = own * own + growth, other * other + growth
        step, drop = settle_one(value[a] - value[b], own + other + noise, margin, outcome)
        value[a] += own * step
        value[b] -= other * step
        deviation[a] = max(math.sqrt(max((1.0 - own * drop) * own, 0.0)), lowest)
        deviation[b] = max(math.sqrt(max((1.0 - other * drop) * other, 0.0)), lowest)
        counted[a] += all_count or is_other_sure
        counted[b] += all_count or is_sure
