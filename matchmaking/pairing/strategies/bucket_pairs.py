"""Matches in buckets, the strictest level first."""

from collections.abc import Iterable, Iterator
from heapq import merge
from itertools import takewhile

import numpy as np

from matchmaking.pairing.conditions import RatingGap
from matchmaking.pairing.model.plan import Plan, conditions_of
from matchmaking.pairing.model.proposed import Meetings
from matchmaking.pairing.strategies.gather import Demands, Filler, Row, always_held, assemble
from matchmaking.pairing.strategies.levels import Entered, enter_levels
from matchmaking.pairing.tickets import Tickets

__all__ = ["find_in_buckets"]


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
