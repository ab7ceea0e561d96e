"""Matches of teams, and free-for-all: groups of tickets that fill a match, in turn from whoever has waited longest.

Afterwards younger tickets give their place in a match to older ones that wait.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from matchmaking.pairing.matches import ProposedMatches
from matchmaking.pairing.plan import Plan
from matchmaking.pairing.teams.division import Divider, arrange
from matchmaking.pairing.teams.pool import Candidates, TeamPool
from matchmaking.pairing.teams.search import Search
from matchmaking.pairing.tickets import Tickets

__all__ = ["find_groups", "form"]

_NONE = -1


def find_groups(tickets: Tickets, plan: Plan) -> ProposedMatches:
    """Matches of `plan.team_count` teams of `plan.team_size` players each.

    In every match everybody passes every condition of everybody else, team mates too; no two ratings
    are further apart than each ticket accepts; parties are in one team; every team fills its roles;
    at least one map is vetoed by nobody. The answer does not depend on the order of `tickets`.

    Who waits on: nobody of them could, going through those left who are up to 5 matches' players away
    in the order of ratings, nearest first, fill a match by taking everyone who suits all taken so
    far. With nobody but single players, no roles and no condition besides the spread, there is no
    match among those left at all, as far as so many vertices reach.
    """
    divider = Divider(tickets, plan)
    return arrange(tickets, plan, form(tickets, plan, divider), divider)


def form(tickets: Tickets, plan: Plan, divider: Divider) -> list[list[int]]:
    """Groups of positions, each of as many players as a match has, all of which accept each other.

    Rounds of seeking around every ticket that is still free, the oldest first, until nobody finds a
    match, neither around nor upwards; then the younger yield to the older, and if anybody did, the
    rounds begin anew.
    """
    # Who could be in a team at all: tickets that are not too large, and not all of one role.
    fits = tickets.members.sizes <= plan.team_size
    if divider.roles.is_needed:
        allows = divider.roles.allows_team
        allowed = [allows(divider.missing[ticket]) for ticket in range(len(tickets))]
        fits &= np.array(allowed, dtype=np.bool_)
    everybody = np.flatnonzero(fits)
    pool = TeamPool(tickets, plan)
    whole = Search(pool, divider, everybody)
    vertex = {ticket: at for at, ticket in enumerate(whole.candidates.ticket)}
    groups, search = list[list[int]](), whole
    while True:
        while found := _seek(search):
            groups = groups + [search.tickets_of(group) for group in found]
            search = Search(pool, divider, np.setdiff1d(everybody, np.concatenate(groups)))
        vertices = [[vertex[ticket] for ticket in group] for group in groups]
        if not replace_younger(whole, vertices):
            return groups
        groups = [whole.tickets_of(group) for group in vertices]
        search = Search(pool, divider, np.setdiff1d(everybody, np.concatenate(groups)))


def _seek(search: Search) -> list[list[int]]:
    """Matches around each free vertex, the oldest first; in vain, matches upwards of each.

    Upwards are those of a vertex and of stronger ones who accept a spread that enough of them accept:
    around a ticket somebody with little tolerance can be taken who closes the match to many others.
    """
    candidates, free = search.candidates, search.free
    found = []
    for vertex in candidates.by_age:
        if free.is_free[vertex] and (group := search.around(vertex)) is not None:
            free.take(group)
            found.append(group)
    if found:
        return found
    for vertex, floor in best_floors(candidates, search.packing.capacity, search.most):
        highest = candidates.rating[vertex] + floor
        others = (
            other
            for other in range(vertex + 1, min(vertex + 1 + search.most, len(candidates)))
            if free.is_free[other]
            and candidates.spread[other] >= floor
            and candidates.rating[other] <= highest
        )
        if free.is_free[vertex] and (group := search.fill(vertex, others)) is not None:
            free.take(group)
            found.append(group)
    return found


def best_floors(candidates: Candidates, needed: int, reach: int) -> Iterator[tuple[int, float]]:
    """Vertices, and of each the spread, that have enough players above for a match.

    A match from a vertex upwards takes `needed` players who all accept some spread and are within it.
    Of the spreads that those accept who are up to `reach` vertices above, the one with most players.
    """
    rating, spread = np.array(candidates.rating), np.array(candidates.spread)
    size = np.array(candidates.size)
    players = np.concatenate(([0], np.cumsum(size)))
    for vertex in range(len(candidates)):
        top = min(vertex + 1 + reach, len(candidates))
        top = min(top, int(np.searchsorted(rating, rating[vertex] + spread[vertex], side="right")))
        if players[top] - players[vertex] < needed:
            continue
        above = slice(vertex, top)
        accepted = np.minimum(spread[above], spread[vertex])
        floors, last = np.unique(accepted, return_inverse=True)
        # Each counts for the spreads from its distance on, up to the one that it accepts itself.
        first = np.searchsorted(floors, rating[above] - rating[vertex])
        counts = np.zeros(len(floors) + 1, dtype=np.int64)
        inside = first <= last
        np.add.at(counts, first[inside], size[above][inside])
        np.subtract.at(counts, last[inside] + 1, size[above][inside])
        counts = counts.cumsum()
        if counts.max() >= needed:
            yield vertex, float(floors[counts.argmax()])


def replace_younger(search: Search, groups: list[list[int]]) -> bool:
    """Let older tickets take the places of younger ones of their size; whether anybody could.

    groups  vertices of the search, changed in place

    Every one who waits, the oldest first, takes the place of the youngest that it can. Ends when
    nobody who waits could take the place of somebody who has waited less, in matches with a ticket
    that is looked at around it. Each exchange improves the list of those matched, oldest first, at the
    first place at which it changes: so it does end.
    """
    by_age = search.candidates.by_age
    rank = [0] * len(by_age)
    for number, vertex in enumerate(by_age):
        rank[vertex] = number
    group_of = [_NONE] * len(by_age)
    for number, group in enumerate(groups):
        group.sort()
        for vertex in group:
            group_of[vertex] = number
    is_changed, goes_on = False, True
    while goes_on:
        goes_on = False
        for vertex in [vertex for vertex in by_age if group_of[vertex] == _NONE]:
            near = _younger(search, vertex, groups, group_of, rank)
            for younger in sorted(near, key=lambda other: -rank[other]):
                number = group_of[younger]
                others = [one for one in groups[number] if one != younger]
                if _can_join(search, vertex, others):
                    groups[number] = sorted([*others, vertex])
                    group_of[vertex], group_of[younger] = number, _NONE
                    is_changed = goes_on = True
                    break
    return is_changed


def _younger(
    search: Search,
    vertex: int,
    groups: Sequence[Sequence[int]],
    group_of: Sequence[int],
    rank: Sequence[int],
) -> Iterator[int]:
    """Those in near matches who have waited less and are as many; of others not too far away."""
    candidates = search.candidates
    near: Sequence[int]
    if candidates.band is not None:
        near = candidates.band.around(vertex).tolist()
    else:
        near = range(max(0, vertex - search.most), min(len(candidates), vertex + search.most + 1))
    size, spread, own = (
        candidates.size[vertex],
        candidates.spread[vertex],
        candidates.rating[vertex],
    )
    for number in sorted({group_of[other] for other in near} - {_NONE}):
        group = groups[number]
        for other in group:
            if rank[other] > rank[vertex] and candidates.size[other] == size:
                low = candidates.rating[group[1] if group[0] == other else group[0]]
                high = candidates.rating[group[-2] if group[-1] == other else group[-1]]
                if max(own, high) - min(own, low) <= spread:
                    yield other


def _can_join(search: Search, vertex: int, others: Sequence[int]) -> bool:
    """Whether the others, in ascending order, fill a match with the vertex."""
    candidates = search.candidates
    first, last = min(vertex, others[0]), max(vertex, others[-1])
    spread = candidates.rating[last] - candidates.rating[first]
    for one in (vertex, *others):
        if spread > candidates.spread[one]:
            return False
        if first < candidates.low[one] or last >= candidates.high[one]:
            return False
    if candidates.band and not candidates.band.holds_all(vertex, others):
        return False
    vetoed = candidates.vetoed[vertex]
    for one in others:
        vetoed |= candidates.vetoed[one]
    if search.maps and not search.maps & ~vetoed:
        return False
    return search.can_split([vertex, *others])
