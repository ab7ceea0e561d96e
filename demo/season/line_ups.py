"""The line-ups of the season: near in rating, by the ladders players like, friends in one team. Pure."""

import numpy as np
from numpy.random import Generator

from demo.formats import FORMATS
from demo.season.careers import Careers
from demo.season.people import Floats

__all__ = ["line_up", "when_enough_are_free"]

_GAP = 100.0  # points: how far apart opponents usually are
_TOGETHER = 0.7  # how often two friends who are both free play as one
_MOST = max(match_format.players for match_format in FORMATS)

Teams = tuple[tuple[int, ...], ...]


def when_enough_are_free(careers: Careers, moment: float) -> float:
    """The first moment from then on at which a match of any ladder can begin."""
    if np.count_nonzero(careers.ready(moment)) >= _MOST:
        return moment
    free = np.sort(careers.free_at[careers.there(moment)])
    return float(free[_MOST - 1])


def line_up(careers: Careers, moment: float, random: Generator) -> tuple[int, Teams]:
    """The ladder of a match that begins now, and who plays it."""
    eager = careers.eagerness(moment) * careers.ready(moment)
    first = _choose(eager, random)
    # Usually that of the match before, in one session.
    ladder = int(careers.ladder[first])
    if not careers.in_session(moment)[first] or ladder < 0 or random.random() >= 0.85:
        ladder = _choose(careers.people.taste[first].copy(), random)
    match_format = FORMATS[ladder]
    # How likely each is to meet `first`: who is near, ready and fond of the ladder, not the last opponent again.
    gap = (careers.estimate[:, ladder] - careers.estimate[first, ladder]) / _GAP
    welcome: Floats = eager * (careers.people.taste[:, ladder] + 0.02) * (0.5 ** (gap * gap) + 1e-6)
    if (last := careers.last[first]) >= 0:
        welcome[last] *= 0.1
    parties = [_with_friend(careers, first, welcome, match_format.size, random)]
    while len(parties) < match_format.teams:
        captain = _choose(welcome, random)
        parties.append(_with_friend(careers, captain, welcome, match_format.size, random))
    if any(len(party) > 1 for party in parties) or match_format.size == 1:
        return ladder, tuple(_fill(party, welcome, match_format.size, random) for party in parties)
    # Two teams of two who came alone: the strongest plays with the weakest.
    four = [who for party in parties for who in _fill(party, welcome, 2, random)]
    best, second, third, worst = sorted(four, key=lambda who: -careers.estimate[who, ladder])
    return ladder, ((best, worst), (second, third))


def _choose(weight: Floats, random: Generator) -> int:
    """One of them, who is not chosen again where `weight` is asked next."""
    total = weight.cumsum()
    chosen = int(total.searchsorted(random.random() * total[-1], side="right"))
    weight[chosen] = 0.0
    return chosen


def _with_friend(
    careers: Careers, who: int, welcome: Floats, size: int, random: Generator
) -> tuple[int, ...]:
    """A player of a team, with a friend who has the time and the mood."""
    friend = int(careers.people.friend[who])
    if size < 2 or friend < 0 or not welcome[friend] or random.random() > _TOGETHER:
        return (who,)
    welcome[friend] = 0.0
    return who, friend


def _fill(party: tuple[int, ...], welcome: Floats, size: int, random: Generator) -> tuple[int, ...]:
    """Let others join until the team is whole."""
    return (*party, *(_choose(welcome, random) for _ in range(size - len(party))))
