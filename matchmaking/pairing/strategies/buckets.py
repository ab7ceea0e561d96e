"""Buckets: few, nominal criteria in levels; whoever shares a bucket meets.

Matches are found in the strictest level first. Which levels, and which of their buckets, a ticket has entered depends
on how long it has waited. Why two met is the strictest level on which they share a bucket.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from heapq import merge
from itertools import takewhile

import numpy as np

from matchmaking.pairing.conditions import RatingGap
from matchmaking.pairing.conditions.build import conditions_of
from matchmaking.pairing.model.plan import Plan
from matchmaking.pairing.model.proposed import Meetings
from matchmaking.pairing.settings.text_lists import Level
from matchmaking.pairing.strategies.gather import Filler, Row, assemble
from matchmaking.pairing.strategies.held_conditions import Demands, always_held
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Bools, Ints

__all__ = ["enter_levels", "find_in_buckets", "shared_levels"]

# The traits that say in bits what a ticket names; no bit: nothing in particular.
_TRAITS = {"language": "languages", "region": "regions", "style": "styles"}


def find_in_buckets(tickets: Tickets, plan: Plan) -> Meetings:
    """Whoever shares a bucket meets: the strictest level first, there the oldest, with the nearest rating.

    A match takes its players out of all their buckets. With filters inside every condition holds in
    the buckets too; without, nobody meets somebody they avoid. One against one, no two are left
    that share a bucket and accept each other.
    """
    search = _Search(tickets, plan)
    for entered in enter_levels(tickets, plan):
        search.look_in(entered)
    return assemble(tickets, plan, search.groups)


@dataclass(frozen=True, slots=True, eq=False)
class Entered:
    """Who is in which bucket of one level, long format, a row for each ticket in each bucket.

    ticket  int64, positions
    bucket  int64, 0..b-1, in no order that means anything
    """

    ticket: Ints
    bucket: Ints


class _Search:
    """What has been found so far, and who is still there."""

    def __init__(self, tickets: Tickets, plan: Plan) -> None:
        inside = plan.settings.buckets.filters_inside
        conditions = conditions_of(plan) if inside else always_held(plan)
        self.groups: list[list[int]] = []
        self._tickets, self._is_duel = tickets, plan.is_duel
        self._filler = Filler(tickets, plan, Demands(tickets, conditions))
        self._reach = _reach_of(tickets, plan) if inside else None
        self._by_age = tickets.by_age()
        self._rank = np.argsort(self._by_age)
        self._is_there = np.ones(len(tickets), dtype=np.bool_)

    def look_in(self, level: Entered) -> None:
        """Find what the buckets of a level give."""
        rows_of = self._stand_in_rows(level)
        for seeker in self._by_age.tolist():
            if seeker in rows_of and self._is_there[seeker]:
                group = self._look_around(seeker, rows_of[seeker])
                if group is not None:
                    self._take(group, rows_of)

    def _look_around(self, seeker: int, rows: list[Row]) -> list[int] | None:
        """Two may meet through any bucket they share; the players of teams all share one."""
        if self._is_duel:
            return self._filler.around(seeker, self._near(seeker, rows))
        found = (self._filler.around(seeker, self._near(seeker, [row])) for row in rows)
        return next((group for group in found if group is not None), None)

    def _near(self, seeker: int, rows: list[Row]) -> Iterator[int]:
        """Those in the rows, nearest first, no further than the seeker would accept."""
        around, rank = (row.around(seeker) for row in rows), self._rank
        near: Iterable[tuple[float, int]] = merge(*around, key=lambda one: (one[0], rank[one[1]]))
        if self._reach is not None:
            reach = self._reach[seeker]
            near = takewhile(lambda found: found[0] <= reach, near)
        return (other for _, other in near)

    def _take(self, group: list[int], rows_of: dict[int, list[Row]]) -> None:
        self.groups.append(group)
        self._is_there[group] = False
        for ticket in group:
            for row in rows_of[ticket]:
                row.remove(ticket)

    def _stand_in_rows(self, level: Entered) -> dict[int, list[Row]]:
        """The rows, by rating, in which each ticket stands that is still there."""
        is_there = self._is_there[level.ticket]
        ticket, bucket = level.ticket[is_there], level.bucket[is_there]
        rating = self._tickets.rating[ticket]
        order = np.lexsort((self._rank[ticket], rating, bucket))
        starts = np.flatnonzero(np.diff(bucket[order], prepend=-1))
        rows_of: dict[int, list[Row]] = {}
        for members in np.split(ticket[order], starts[1:]):
            if len(members) > 1:
                row = Row(members, self._tickets.rating[members])
                for one in members.tolist():
                    rows_of.setdefault(one, []).append(row)
        return rows_of


def _reach_of(tickets: Tickets, plan: Plan) -> list[float]:
    """How many rating points each ticket accepts at most: nobody further away is looked at."""
    gaps = [one for one in conditions_of(plan) if isinstance(one, RatingGap)]
    tolerances = [one.tolerances(tickets) for one in gaps]
    unlimited = np.full(len(tickets), np.inf)
    reach: list[float] = np.minimum.reduce([unlimited, *tolerances]).tolist()
    return reach


def enter_levels(tickets: Tickets, plan: Plan) -> list[Entered]:
    """The buckets of each level, strictest first.

    A ticket starts at the first level of which it names every criterion: who speaks any language
    need not wait in the buckets of languages. It enters a level when the time of those since its
    start is over, and stays in all it has entered. There, a ticket that names nothing is in the
    bucket of everything that anybody names.
    """
    levels = plan.settings.levels
    named = named_criteria(tickets, plan)
    is_in = _has_entered(tickets, levels, named)
    return [
        _enter(level, np.flatnonzero(is_in[:, index]), named) for index, level in enumerate(levels)
    ]


def named_criteria(tickets: Tickets, plan: Plan) -> dict[str, Ints]:
    """What each ticket names of every criterion, as bits; of the skill its class."""
    nothing = np.zeros(len(tickets), dtype=np.int64)
    named = {
        criterion: np.asarray(tickets.traits.get(trait, nothing), dtype=np.int64)
        for criterion, trait in _TRAITS.items()
    }
    classes = np.searchsorted(plan.settings.borders, tickets.rating, side="right")
    return {**named, "skill": classes + 1}


def _has_entered(tickets: Tickets, levels: tuple[Level, ...], named: dict[str, Ints]) -> Bools:
    """(n, levels) whether each ticket has entered each level."""
    begins = np.cumsum([0.0, *(level.seconds for level in levels[:-1])])
    fits = np.ones((len(tickets), len(levels)), dtype=np.bool_)
    for index, level in enumerate(levels):
        for criterion in level.by:
            fits[:, index] &= named[criterion] != 0
    start = fits.argmax(axis=1)  # the first level where nothing fits: no level does without
    since_start = begins - begins[start][:, np.newaxis]
    is_due = tickets.waited[:, np.newaxis] >= since_start
    entered: Bools = is_due & (np.arange(len(levels)) >= start[:, np.newaxis])
    return entered


def _enter(level: Level, ticket: Ints, named: dict[str, Ints]) -> Entered:
    """Spread tickets over the buckets of a level: one for each combination of what they name."""
    key = np.zeros((len(ticket), 0), dtype=np.int64)
    for criterion in level.by:
        value = named[criterion][ticket]
        if criterion == "skill":
            key = np.column_stack((key, value))
        else:
            row, bit = _bits_of(value)
            ticket, key = ticket[row], np.column_stack((key[row], bit))
    if not level.by:
        return Entered(ticket, np.zeros(len(ticket), dtype=np.int64))
    _keys, bucket = np.unique(key, axis=0, return_inverse=True)
    return Entered(ticket, bucket.reshape(-1))


def _bits_of(value: Ints) -> tuple[Ints, Ints]:
    """A row for each bit that is set; whoever has none has all that anybody has."""
    known = int(np.bitwise_or.reduce(value)) if value.size else 0
    everything = known or 1
    filled = np.where(value == 0, everything, value)
    bits = np.array([bit for bit in range(63) if everything >> bit & 1], dtype=np.int64)
    row, place = np.nonzero(filled[:, np.newaxis] >> bits & 1)
    return row, bits[place]


def shared_levels(tickets: Tickets, plan: Plan, meetings: Meetings) -> Ints:
    """For each match the first level, counted from 1, with a bucket that all its tickets are in; 0: none."""
    shared = np.zeros(len(meetings), dtype=np.int64)
    for number, entered in enumerate(enter_levels(tickets, plan), start=1):
        shared[_share(entered, meetings, len(tickets)) & (shared == 0)] = number
    return shared


def _share(entered: Entered, meetings: Meetings, n: int) -> Bools:
    """Whether all tickets of each match are in one bucket."""
    meeting_of = np.full(n, -1)
    meeting_of[meetings.ticket] = meetings.meeting
    rows = meeting_of[entered.ticket] >= 0
    meeting, bucket = meeting_of[entered.ticket[rows]], entered.bucket[rows]
    pairs, counts = np.unique(np.stack((meeting, bucket)), axis=1, return_counts=True)
    sizes = np.diff(meetings.starts)
    share = np.zeros(len(meetings), dtype=np.bool_)
    share[pairs[0][counts == sizes[pairs[0]]]] = True
    return share
