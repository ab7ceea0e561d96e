"""Buckets: few, nominal criteria in levels; whoever shares a bucket meets.

Matches are found in the strictest level first. Which levels, and which of their buckets, a ticket has entered depends
on how long it has waited. Why two met is the strictest level on which they share a bucket.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import merge
from itertools import takewhile

import numpy as np

from matchmaking.pairing.conditions import RatingGap
from matchmaking.pairing.matches import ProposedMatches
from matchmaking.pairing.plan import Plan, conditions_of
from matchmaking.pairing.settings.text_lists import TRAITS
from matchmaking.pairing.strategies.greedy import (
    HeldConditions,
    MatchFiller,
    TicketList,
    always_held,
    assemble,
)
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Ints

__all__ = ["enter_levels", "find_in_buckets", "shared_levels"]


def find_in_buckets(tickets: Tickets, plan: Plan) -> ProposedMatches:
    """Whoever shares a bucket meets: the strictest level first, there the oldest, with the nearest rating.

    A match takes its players out of all their buckets. With filters inside every condition holds in
    the buckets too; without, nobody meets somebody they avoid. One against one, no two are left
    that share a bucket and accept each other.
    """
    inside = plan.settings.buckets.filters_inside
    conditions = conditions_of(plan) if inside else always_held(plan)
    filler = MatchFiller(tickets, plan, HeldConditions(tickets, conditions))
    # How many rating points each ticket accepts at most: nobody further away is looked at.
    limit = np.full(len(tickets), np.inf)
    for condition in conditions:
        if inside and isinstance(condition, RatingGap):
            limit = np.minimum(limit, condition.tolerances(tickets))
    by_age, limits = tickets.by_age(), limit.tolist()
    rank = np.argsort(by_age)
    is_there, groups = np.ones(len(tickets), dtype=np.bool_), []
    for level in enter_levels(tickets, plan):
        rows = is_there[level.ticket]
        entered, bucket = level.ticket[rows], level.bucket[rows]
        # The lists, by rating, in which each ticket stands that shares a bucket with another.
        order = np.lexsort((rank[entered], tickets.rating[entered], bucket))
        starts = np.flatnonzero(np.diff(bucket[order], prepend=-1))
        lists_of: dict[int, list[TicketList]] = {}
        for members in np.split(entered[order], starts[1:]):
            if len(members) > 1:
                together = TicketList(members, tickets.rating[members])
                for one in members.tolist():
                    lists_of.setdefault(one, []).append(together)
        for seeker in by_age.tolist():
            if seeker not in lists_of or not is_there[seeker]:
                continue
            # Two may meet through any bucket they share; the players of teams all share one.
            own = lists_of[seeker]
            asked = [own] if plan.is_duel else [[one] for one in own]
            found = (filler.around(seeker, _near(seeker, one, rank, limits)) for one in asked)
            group = next((group for group in found if group is not None), None)
            if group is not None:
                groups.append(group)
                is_there[group] = False
                for ticket in group:
                    for one in lists_of[ticket]:
                        one.remove(ticket)
    return assemble(tickets, plan, groups)


def _near(
    seeker: int, lists: Iterable[TicketList], rank: Ints, limits: Sequence[float]
) -> Iterator[int]:
    """Those in the lists, nearest first, no further than the seeker would accept."""
    around, limit = (one.around(seeker) for one in lists), limits[seeker]
    near: Iterable[tuple[float, int]] = merge(*around, key=lambda one: (one[0], rank[one[1]]))
    return (other for _, other in takewhile(lambda found: found[0] <= limit, near))


@dataclass(frozen=True, slots=True, eq=False)
class Entered:
    """Who is in which bucket of one level, long format, a row for each ticket in each bucket.

    ticket  int64, positions
    bucket  int64, 0..b-1, in no order that means anything
    """

    ticket: Ints
    bucket: Ints


def enter_levels(tickets: Tickets, plan: Plan) -> list[Entered]:
    """The buckets of each level, strictest first.

    A ticket starts at the first level of which it names every criterion: who speaks any language
    need not wait in the buckets of languages. It enters a level when the time of those since its
    start is over, and stays in all it has entered. There, a ticket that names nothing is in the
    bucket of everything that anybody names.
    """
    levels, nothing = plan.settings.levels, np.zeros(len(tickets), dtype=np.int64)
    # What each ticket names of every criterion, as bits; of the skill its class.
    named = {
        criterion: np.asarray(tickets.traits.get(trait, nothing), dtype=np.int64)
        for criterion, trait in TRAITS.items()
    }
    named["skill"] = 1 + np.searchsorted(plan.settings.borders, tickets.rating, side="right")
    begins = np.cumsum([0.0, *(level.seconds for level in levels[:-1])])
    fits = np.ones((len(tickets), len(levels)), dtype=np.bool_)
    for index, level in enumerate(levels):
        for criterion in level.by:
            fits[:, index] &= named[criterion] != 0
    start = fits.argmax(axis=1)  # the first level where nothing fits: no level does without
    is_in = tickets.waited[:, np.newaxis] >= begins - begins[start][:, np.newaxis]
    is_in &= np.arange(len(levels)) >= start[:, np.newaxis]
    found = []
    for index, level in enumerate(levels):
        # A bucket for each combination of what tickets name.
        ticket = np.flatnonzero(is_in[:, index])
        key, bucket = np.zeros((len(ticket), 0), dtype=np.int64), np.zeros_like(ticket)
        for criterion in level.by:
            value = named[criterion][ticket]
            if criterion == "skill":
                key = np.column_stack((key, value))
                continue
            # A row for each bit that is set; whoever has none has all that anybody has.
            everything = int(np.bitwise_or.reduce(value, initial=0)) or 1
            bits = np.array([bit for bit in range(63) if everything >> bit & 1], dtype=np.int64)
            filled = np.where(value == 0, everything, value)
            row, at = np.nonzero(filled[:, np.newaxis] >> bits & 1)
            ticket, key = ticket[row], np.column_stack((key[row], bits[at]))
        if level.by:
            _keys, bucket = np.unique(key, axis=0, return_inverse=True)
        found.append(Entered(ticket, bucket.reshape(-1)))
    return found


def shared_levels(tickets: Tickets, plan: Plan, matches: ProposedMatches) -> Ints:
    """For each match the first level, counted from 1, with a bucket that all its tickets are in; 0: none."""
    shared, sizes = np.zeros(len(matches), dtype=np.int64), np.diff(matches.starts)
    match_of = np.full(len(tickets), -1)
    match_of[matches.ticket] = matches.match
    for number, entered in enumerate(enter_levels(tickets, plan), start=1):
        rows = match_of[entered.ticket] >= 0
        pairs = np.stack((match_of[entered.ticket[rows]], entered.bucket[rows]))
        (match, _bucket), counts = np.unique(pairs, axis=1, return_counts=True)
        whole = match[counts == sizes[match]]
        shared[whole[shared[whole] == 0]] = number
    return shared
