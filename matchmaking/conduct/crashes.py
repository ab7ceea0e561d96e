"""Telling a server that has failed from players who leave: in the first case most drop together."""

from collections.abc import Mapping
from datetime import datetime, timedelta

__all__ = ["dropped_together"]


def dropped_together(
    drops: Mapping[int, datetime], participants: int, within: timedelta
) -> set[int]:
    """Whose drop was one of more than half of a match within that time: these have not left, the server has.

    drops  when each player dropped who did, by id
    """
    moments, together = sorted(drops.items(), key=lambda one: one[1]), set[int]()
    first = 0
    for last, (_player, at) in enumerate(moments):
        while at - moments[first][1] > within:
            first += 1
        if 2 * (last - first + 1) > participants:
            together.update(player for player, _at in moments[first : last + 1])
    return together
