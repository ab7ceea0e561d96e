"""Random histories of a ladder: who met whom, how it ended, what of it came with a file, and what is played later."""

import random
from dataclasses import dataclass, replace

from tests.ratings.squads import Fought

__all__ = ["DAYS", "LATER", "Entry", "History", "Shape", "draw_history", "draw_result"]

DAYS = 30.0
LATER = (31.0, 36.0)  # days
_MAPS = ("", "gorge", "oasis")


@dataclass(frozen=True)
class Shape:
    """A ladder: so many teams of so many players, and its tracks by system, with their days; the first is shown."""

    teams: int
    size: int
    tracks: tuple[tuple[str, float | None], ...]


SHAPES = (
    Shape(2, 1, (("elo", None), ("glicko2", 5.0), ("trueskill", None))),
    Shape(2, 1, (("glicko2", 4.0), ("elo_normal", None), ("glicko", 7.0))),
    Shape(2, 1, (("frags", None), ("elo", None), ("glicko2", 3.0))),
    Shape(2, 2, (("trueskill", None), ("zonestats", None))),
    Shape(3, 1, (("zonestats", None), ("trueskill", 2.0))),
    Shape(4, 1, (("trueskill", None), ("zonestats", None))),
)


@dataclass(frozen=True)
class Entry(Fought):
    """One match: players by number, scores and minutes by seat."""

    map: str = ""
    in_file: bool = False


@dataclass(frozen=True)
class History:
    """What happened before anybody changed it.

    people            who is there from the start; `strangers` more come with the file
    later             what is played after `DAYS`
    rated_before_file  whether what was before the file is rated when it comes
    """

    shape: Shape
    people: int
    strangers: int
    pool_minimum: int
    rated_before_file: bool
    entries: tuple[Entry, ...]
    later: tuple[Entry, ...]

    @property
    def file_day(self) -> float:
        """When the file is taken in: with its last match."""
        return max((one.day for one in self.entries if one.in_file), default=0.0)


def draw_history(dice: random.Random) -> History:
    """6 to 12 players and 10 to 40 matches, up to half of them in a file, which may have up to three players more."""
    shape, people = dice.choice(SHAPES), dice.randint(6, 12)
    count = dice.randint(10, 40)
    in_file = dice.randint(0, count // 2)
    begin = dice.randint(0, count - in_file)
    strangers = dice.randint(0, 3) if in_file else 0
    days = sorted(dice.uniform(0, DAYS) for _ in range(count))
    entries = []
    for number, day in enumerate(days):
        is_in_file = begin <= number < begin + in_file
        pool = people + strangers if is_in_file else people
        entries.append(replace(_draw_entry(dice, shape, pool, day), in_file=is_in_file))
    later = sorted(dice.uniform(*LATER) for _ in range(dice.randint(0, 5)))
    return History(
        shape=shape,
        people=people,
        strangers=strangers,
        pool_minimum=dice.randint(0, 3),
        rated_before_file=dice.random() < 0.5,
        entries=tuple(entries),
        later=tuple(_draw_entry(dice, shape, people, day) for day in later),
    )


def draw_result(dice: random.Random, entry: Entry) -> Entry:
    """The same match with another result: places, scores and minutes."""
    count, seats = len(entry.teams), sum(map(len, entry.teams))
    ranks = [dice.randrange(count) for _ in range(count)]
    return replace(
        entry,
        ranks=tuple(rank - min(ranks) for rank in ranks),
        scores=tuple(float(dice.randint(0, 30)) for _ in range(seats)),
        minutes=tuple(dice.uniform(1, 20) for _ in range(seats)),
    )


def _draw_entry(dice: random.Random, shape: Shape, pool: int, day: float) -> Entry:
    chosen, size = dice.sample(range(pool), shape.teams * shape.size), shape.size
    teams = [tuple(sorted(chosen[at : at + size])) for at in range(0, len(chosen), size)]
    return draw_result(dice, Entry(day, tuple(teams), (), map=dice.choice(_MAPS)))
