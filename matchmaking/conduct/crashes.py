"""Telling crashes from leaving: whoever is back in time has not left, nor has anybody where most drop together."""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta

__all__ = ["dropped_together", "who_left"]


def who_left(
    away: Mapping[int, tuple[datetime, datetime]],
    told: Collection[int],
    *,
    end: datetime,
    participants: int,
    within: timedelta,
) -> dict[int, datetime]:
    """Who has left a match, and when. Whoever is still away when it ends, and not told to have left, has not.

    away    of each who dropped and is not back: since when, and until when it could have come back
    told    of whom the server says at the end that they had left
    end     of the match; now, where it still runs
    within  seconds in which more than half drop where the server has failed
    """
    drops = dict.fromkeys(told, end) | {player: at for player, (at, _until) in away.items()}
    spared = dropped_together(drops, participants, within)
    left: dict[int, datetime] = {}
    for player in drops.keys() - spared:
        until = away[player][1] if player in away else end
        if until <= end:
            left[player] = until
        elif player in told:
            left[player] = end
    return left


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
