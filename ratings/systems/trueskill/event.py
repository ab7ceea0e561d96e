"""One TrueSkill event of many simultaneous games: each tells what it knows, and all is added up.

From the ratings before the event every game alone would give each of its players a new mean and
variance. What it adds to the precision 1/σ², and to precision times mean, is its information;
a player's new rating holds the information of all games. One game gives what `rate` gives.
"""

from dataclasses import dataclass
from itertools import chain

import numpy as np

from ratings.systems.arrays import Bools, Floats
from ratings.systems.trueskill.games import Games
from ratings.systems.trueskill.parameters import TrueSkillParameters
from ratings.systems.trueskill.stream import settled_deviation
from ratings.systems.trueskill.table import Table, TrueSkillJournal, find_established, statuses

__all__ = ["RatedEvent", "play_event"]

# Games at a time, so that what is computed of them stays small.
_BLOCK = 16_384
# The share of a variance that is kept, where rounding leaves none.
_LEAST = 2.0**-52


@dataclass(frozen=True, slots=True, eq=False)
class RatedEvent:
    """What an event did.

    value, deviation  of every player after it, length n
    journal           of every row
    moved             points by which each row moved its player
    faced             whether an established player was on another team, by row
    """

    value: Floats
    deviation: Floats
    journal: TrueSkillJournal
    moved: Floats
    faced: Bools


def play_event(parameters: TrueSkillParameters, table: Table, games: Games) -> RatedEvent:
    """Rate all games from the ratings before; `table` is not written."""
    n, players = len(table.value), games.players
    journal, faced = TrueSkillJournal.blank(len(players)), np.empty(len(players), dtype=np.bool_)
    pull, precision = np.empty(len(players)), np.empty(len(players))
    established = find_established(parameters, table.counted, table.deviation)
    status = statuses(table.is_new, established)
    total, growth = len(games.starts) - 1, parameters.tau * parameters.tau
    blocks = (np.arange(at, min(at + _BLOCK, total)) for at in range(0, total, _BLOCK))
    for picked in chain.from_iterable(map(games.pick, blocks)):
        # What games alone add to precision · mean, counted from the mean before, and to precision.
        rows, who = picked.rows, picked.players
        value, deviation = table.value[who], table.deviation[who]
        variance = deviation * deviation + growth
        step, drop = picked.settle(value, variance)
        kept = np.maximum(1 - variance * drop, _LEAST)
        expected, gain = picked.expect(value, deviation * deviation)
        figures = (value, value, deviation, deviation, expected, gain, status[who])
        journal.write(rows, figures)
        pull[rows], precision[rows] = step / kept, drop / kept
        faced[rows] = picked.faces(established.take(who))
    prior = table.deviation * table.deviation + growth
    variance = prior / (1 + prior * np.bincount(players, precision, n))
    value = table.value + variance * np.bincount(players, pull, n)
    deviation = settled_deviation(parameters, variance)
    journal.value_after[:], journal.deviation_after[:] = value[players], deviation[players]
    return RatedEvent(value, deviation, journal, variance[players] * pull, faced)
