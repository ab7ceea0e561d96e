"""Who could be paired with whom: near neighbours, and the nearest who accept each other."""

from typing import Protocol

import numpy as np

from ratings.systems.arrays import Bools, Ints

__all__ = ["Stretches", "accepted_around", "allows_step", "near_pairs", "nearest_pairs"]


class Stretches(Protocol):
    """Places each of which accepts one stretch of neighbours: see `Line`."""

    @property
    def low(self) -> Ints: ...

    @property
    def high(self) -> Ints: ...

    def __len__(self) -> int: ...

    def allows(self, one: Ints, other: Ints) -> Bools: ...


def near_pairs(line: Stretches, *, reach: int) -> Ints:
    """(m, 2) places at most `reach` apart in the line that accept each other."""
    found = [np.empty((0, 2), dtype=np.int64)]
    for step in range(1, min(reach, len(line) - 1) + 1):
        lower = np.flatnonzero(allows_step(line, step))
        found.append(np.stack((lower, lower + step), axis=1))
    return np.concatenate(found)


def allows_step(line: Stretches, step: int) -> Bools:
    place = np.arange(len(line) - step)
    allowed: Bools = (place + step < line.high[:-step]) & (line.low[step:] <= place)
    return allowed


def nearest_pairs(line: Stretches) -> Ints:
    """(m, 2) every place with the next above and the next below it of mutual acceptance, once each.

    However far apart: a place has a pair here unless nobody in the line suits it.
    """
    n, place = len(line), np.arange(len(line))
    above = _first_above(line.low)
    below = n - 1 - _first_above(n - line.high[::-1])[::-1]
    up, down = np.flatnonzero(above < line.high), np.flatnonzero(below >= line.low)
    down = down[above[below[down]] != down]  # the others are there from below
    upwards = np.stack((place[up], above[up]), axis=1)
    downwards = np.stack((below[down], place[down]), axis=1)
    return np.concatenate((upwards, downwards))


def _first_above(low: Ints) -> Ints:
    """For each place the first one above it whose `low` reaches down to it; n where there is none.

    By doubling: the least `low` of 1, 2, 4, … places from each on; then the longest stretches in
    which nobody reaches down are skipped, halving.
    """
    n = len(low)
    least = [low]
    while (width := 1 << (len(least) - 1)) < n:
        step = least[-1].copy()
        np.minimum(step[:-width], step[width:], out=step[:-width])
        least.append(step)
    place, seek = np.arange(n), np.arange(1, n + 1)
    for level in reversed(range(len(least))):
        skipped = (seek < n) & (least[level][np.minimum(seek, n - 1)] > place)
        seek += skipped << level
    return np.minimum(seek, n)


def accepted_around(line: Stretches, places: Ints) -> Ints:
    """(m, 2) each of `places` with everyone where the two accept each other.

    Meant for the places a maximal matching leaves free. As those do not suit each other, two with
    tolerances between T and 2T are more than T apart: their stretches cover no place more than five
    times, and all stretches together hold about n times the number of such doublings.
    """
    counts = line.high[places] - line.low[places]
    one = np.repeat(places, counts)
    starts = line.low[places] - (np.cumsum(counts) - counts)
    other = np.arange(one.size) + np.repeat(starts, counts)
    keep = line.allows(one, other) & (one != other)
    return np.stack((one[keep], other[keep]), axis=1)
