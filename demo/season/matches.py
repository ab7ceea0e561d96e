"""Every match of the season, one after the other. Pure."""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from demo import strength
from demo.formats import FORMATS
from demo.maps import side_worth
from demo.season.calendar import DAY, beginnings
from demo.season.careers import Careers
from demo.season.line_ups import line_up, when_enough_are_free
from demo.season.people import Floats, People

__all__ = ["CONFIRMED", "STATES", "Played", "Season", "simulate"]

STATES = CONFIRMED, DISPUTED, ABANDONED, ABORTED = "confirmed", "disputed", "abandoned", "aborted"
_UNDECIDED = 0.012  # share of further matches that did not end as they should
_SHORTEST, _LONGEST = 45.0, 200.0  # seconds
_LEAVES = 0.06  # how often the worst-mannered leave when they lose


@dataclass(frozen=True, slots=True)
class Played:
    """One match; times in seconds since the season's start, players as positions, ranks by team, 0 is best."""

    ladder: int
    teams: tuple[tuple[int, ...], ...]
    ranks: tuple[int, ...]
    began: float
    ended: float
    decided: float
    left: int | None  # who left early
    map: str  # empty on ladders that have none
    state: str

    @property
    def players(self) -> list[int]:
        """Everybody, team by team."""
        return [who for team in self.teams for who in team]


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
    starts = enumerate(beginnings(matches + extra, days=days, random=random))
    played = [_play(careers, moment, random, odd=index in odd) for index, moment in starts]
    at_end = np.array([careers.strength(who, length) for who in range(len(people))])
    return Season(people, sorted(played, key=lambda match: match.began), at_end, length)


def _play(careers: Careers, moment: float, random: Generator, *, odd: bool) -> Played:
    began = when_enough_are_free(careers, moment)
    ladder, teams = line_up(careers, began, random)
    maps = FORMATS[ladder].maps
    where = maps[int(random.integers(len(maps)))] if maps else ""
    strengths = [[careers.strength(who, began) for who in team] for team in teams]
    luck = random.random(len(teams)).tolist()
    ranks = strength.ranks_of_teams(strengths, luck, side=side_worth(where))
    ended = began + random.triangular(_SHORTEST, 90.0, _LONGEST)
    state = CONFIRMED
    if odd:
        state = (DISPUTED, ABANDONED, ABORTED)[int(random.integers(3))]
        careers.busy(ladder, teams, until=ended)
    else:
        careers.note(ladder, teams, ranks, until=ended)
    decided = ended + random.uniform(2.0, 20.0)
    left: int | None = None
    if ranks.count(max(ranks)) == 1:
        # One of those who came last alone may not see the end.
        losers = teams[ranks.index(max(ranks))]
        loser = losers[int(random.integers(len(losers)))]
        if random.random() < _LEAVES * (1.0 - careers.people.manners[loser]) * 4:
            left = loser
    return Played(
        ladder=ladder,
        teams=teams,
        ranks=ranks,
        began=began,
        ended=ended,
        decided=decided,
        left=left,
        map=where,
        state=state,
    )
