"""Every match of the season, one after the other. Pure."""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from demo import strength
from demo.season.calendar import DAY, beginnings
from demo.season.careers import Careers
from demo.season.people import LADDERS, Floats, People

__all__ = ["CONFIRMED", "MAPS", "STATES", "Played", "Season", "simulate"]

STATES = CONFIRMED, DISPUTED, ABANDONED, ABORTED = "confirmed", "disputed", "abandoned", "aborted"
MAPS = ("Salt Mill", "Old Harbour", "Glass Orchard", "Bell Tower", "Drowned Road", "Ninth Terrace")
_UNDECIDED = 0.012  # share of further matches that did not end as they should
_GAP = 100.0  # points: how far apart opponents usually are
_SHORTEST, _LONGEST = 45.0, 200.0  # seconds
_LEAVES = 0.06  # how often the worst-mannered leave when they lose


@dataclass(frozen=True, slots=True)
class Played:
    """One match; times in seconds since the season's start, players as positions."""

    ladder: int
    first: int
    second: int
    began: float
    ended: float
    decided: float
    score: float
    left: int | None  # who left early
    map: str
    state: str


@dataclass(frozen=True, slots=True, eq=False)
class Season:
    """The whole of it: who plays, all matches by their beginning, and true strengths at the end."""

    people: People
    matches: list[Played]
    strength: Floats
    length: float


def simulate(people: People, *, matches: int, days: float, random: Generator) -> Season:
    """Play `matches` matches that end as they should, and a few that do not, within `days`."""
    length = days * DAY
    careers = Careers.begin(people, length=length, phase=random.uniform(0, 7, len(people)))
    extra = round(matches * _UNDECIDED)
    odd = set(random.choice(matches + extra, size=extra, replace=False).tolist())
    played = [
        _play(careers, moment, random, odd=place in odd)
        for place, moment in enumerate(beginnings(matches + extra, days=days, random=random))
    ]
    at_end = np.array([careers.strength(who, length) for who in range(len(people))])
    return Season(people, sorted(played, key=lambda match: match.began), at_end, length)


def _play(careers: Careers, moment: float, random: Generator, *, odd: bool) -> Played:
    began = _when_two_are_free(careers, moment)
    first = _choose(careers.eagerness(began) * careers.ready(began), random)
    ladder = _choose_ladder(careers, first, began, random)
    second = _choose(_welcome(careers, first, ladder, began), random)
    difference = careers.strength(first, began) - careers.strength(second, began)
    score = strength.score(difference, random.random())
    ended = began + random.triangular(_SHORTEST, 90.0, _LONGEST)
    state = CONFIRMED
    if odd:
        state = (DISPUTED, ABANDONED, ABORTED)[int(random.integers(3))]
        careers.busy(first, second, ladder=ladder, until=ended)
        careers.busy(second, first, ladder=ladder, until=ended)
    else:
        careers.note(ladder, first, second, score=score, until=ended)
    return Played(
        ladder=ladder,
        first=first,
        second=second,
        began=began,
        ended=ended,
        decided=ended + random.uniform(2.0, 20.0),
        score=score,
        left=_who_left(careers.people, first, second, score, random),
        map=MAPS[int(random.integers(len(MAPS)))],
        state=state,
    )


def _when_two_are_free(careers: Careers, moment: float) -> float:
    if careers.ready(moment).sum() >= 2:
        return moment
    free = np.sort(careers.free_at[careers.there(moment)])
    return float(free[1])


def _choose(weight: Floats, random: Generator) -> int:
    total = np.cumsum(weight)
    return int(np.searchsorted(total, random.random() * total[-1], side="right"))


def _choose_ladder(careers: Careers, who: int, moment: float, random: Generator) -> int:
    """Usually that of the match before, in one session."""
    if careers.in_session(moment)[who] and careers.ladder[who] >= 0 and random.random() < 0.85:
        return int(careers.ladder[who])
    return int(random.choice(LADDERS, p=careers.people.taste[who]))


def _welcome(careers: Careers, first: int, ladder: int, moment: float) -> Floats:
    """How likely each is to meet `first`: who is near, ready and fond of the ladder, not the last opponent again."""
    gap = (careers.estimate[:, ladder] - careers.estimate[first, ladder]) / _GAP
    taste = careers.people.taste[:, ladder] + 0.02
    weight: Floats = careers.eagerness(moment) * taste * (0.5 ** (gap * gap) + 1e-6)
    weight *= np.where(np.arange(len(weight)) == careers.last[first], 0.1, 1.0)
    weight *= careers.ready(moment)
    weight[first] = 0.0
    return weight


def _who_left(
    people: People, first: int, second: int, score: float, random: Generator
) -> int | None:
    if score == 0.5:
        return None
    loser = second if score == 1.0 else first
    return loser if random.random() < _LEAVES * (1.0 - people.manners[loser]) * 4 else None
