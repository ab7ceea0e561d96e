"""How much spread a match would have to keep to, so that most tickets above one could be in it."""

from collections.abc import Iterator

import numpy as np

from matchmaking.pairing.teams.crowd import Crowd

__all__ = ["best_floors"]


def best_floors(crowd: Crowd, places: int, reach: int) -> Iterator[tuple[int, float]]:
    """Places, and of each the spread, that have enough players above for a match.

    A match from a place upwards needs `places` players who all accept some spread and are within it.
    Of the spreads that those accept who are up to `reach` places above, the one with most players.
    """
    rating, spread = np.array(crowd.rating), np.array(crowd.spread)
    size = np.array(crowd.size)
    players = np.concatenate(([0], np.cumsum(size)))
    for place in range(len(crowd)):
        top = min(place + 1 + reach, len(crowd))
        top = min(top, int(np.searchsorted(rating, rating[place] + spread[place], side="right")))
        if players[top] - players[place] < places:
            continue
        above = slice(place, top)
        accepted = np.minimum(spread[above], spread[place])
        floors, last = np.unique(accepted, return_inverse=True)
        # Each counts for the spreads from its distance on, up to the one that it accepts itself.
        first = np.searchsorted(floors, rating[above] - rating[place])
        counts = np.zeros(len(floors) + 1, dtype=np.int64)
        inside = first <= last
        np.add.at(counts, first[inside], size[above][inside])
        np.subtract.at(counts, last[inside] + 1, size[above][inside])
        counts = counts.cumsum()
        if counts.max() >= places:
            yield place, float(floors[counts.argmax()])
