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

__all__ = ["best_floors", "find_groups", "form", "replace_younger"]

_NONE = -1


def find_groups(tickets: Tickets, plan: Plan) -> ProposedMatches:
    """Matches of `plan.team_count` teams of `plan.team_size` players each.

    In every match everybody passes every condition of everybody else, team mates too; no two ratings
    are further apart than each ticket accepts; parties are in one team; every team fills its roles;
    at least one map is vetoed by nobody. The answer does not depend on the order of `tickets`.

    Who waits on: nobody of them could, going through those left who are up to 5 matches' players away
    in the order of ratings, nearest first, fill a match by taking everyone who suits all taken so
    far. With nobody but single players, no roles and no condition besides the spread, there is no
    match among those left at all, as far as so many places reach.
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
    place = {ticket: at for at, ticket in enumerate(whole.candidates.ticket)}
    groups, search = list[list[int]](), whole
    while True:
        while found := _seek(search):
            groups = groups + [search.tickets_of(group) for group in found]
            search = Search(pool, divider, np.setdiff1d(everybody, np.concatenate(groups)))
        places = [[place[ticket] for ticket in group] for group in groups]
        if not replace_younger(whole, places):
            return groups
        groups = [whole.tickets_of(group) for group in places]
        search = Search(pool, divider, np.setdiff1d(everybody, np.concatenate(groups)))


def _seek(search: Search) -> list[list[int]]:
    """Matches around each free place, the oldest first; in vain, matches upwards of each.

    Upwards are those of a place and of stronger ones who accept a spread that enough of them accept:
    around a ticket somebody with little tolerance can be taken who closes the match to many others.
    """
    candidates, free = search.candidates, search.free
    found = []
    for place in candidates.by_age:
        if free.is_free[place] and (group := search.around(place)) is not None:
            free.take(group)
            found.append(group)
    if found:
        return found
    for place, floor in best_floors(candidates, search.shape.places, search.most):
        highest = candidates.rating[place] + floor
        others = (
            other
            for other in range(place + 1, min(place + 1 + search.most, len(candidates)))
            if free.is_free[other]
            and candidates.spread[other] >= floor
            and candidates.rating[other] <= highest
        )
        if free.is_free[place] and (group := search.fill(place, others)) is not None:
            free.take(group)
            found.append(group)
    return found


def best_floors(candidates: Candidates, places: int, reach: int) -> Iterator[tuple[int, float]]:
    """Places, and of each the spread, that have enough players above for a match.

    A match from a place upwards needs `places` players who all accept some spread and are within it.
    Of the spreads that those accept who are up to `reach` places above, the one with most players.
    """
    rating, spread = np.array(candidates.rating), np.array(candidates.spread)
    size = np.array(candidates.size)
    players = np.concatenate(([0], np.cumsum(size)))
    for place in range(len(candidates)):
        top = min(place + 1 + reach, len(candidates))
        top = min(top, int(np.searchsorted(rating, rating[place] + spread[place], side="right")))
        if players[top] - players[place] < places:
            continue
        above = slice(place, top)
        accepted = np.minimum(spread[above], spread[place])
        floors, last = np.unique(accepted, return_inverse=True)
        # Each counts for the spreads from its distance on, up to the one that it accepts itself.
        first = np.searchsorted(floors, rating[above] - rating[place])
        counts = np.zeros(len(floors) + 1, dtype=np.int64)
        inside = first <= last
        np.add.at(counts, first[inside], size[above][inside])
        np.subtract.at(counts, last[inside] + 1, size[above][inside])
        counts = counts.cumsum()
        if counts.max() >= places:
            yield place, float(floors[counts.argmax()])


def replace_younger(search: Search, groups: list[list[int]]) -> bool:
    """Let older tickets take the places of younger ones of their size; whether anybody could.

    groups  places of the search, changed in place

    Every one who waits, the oldest first, takes the place of the youngest that it can. Ends when
    nobody who waits could take the place of somebody who has waited less, in matches with a ticket
    that is looked at around it. Each exchange improves the list of those matched, oldest first, at the
    first place at which it changes: so it does end.
    """
    by_age = search.candidates.by_age
    rank = [0] * len(by_age)
    for number, place in enumerate(by_age):
        rank[place] = number
    group_of = [_NONE] * len(by_age)
    for number, group in enumerate(groups):
        group.sort()
        for place in group:
            group_of[place] = number
    is_changed, goes_on = False, True
    while goes_on:
        goes_on = False
        for place in [place for place in by_age if group_of[place] == _NONE]:
            near = _younger(search, place, groups, group_of, rank)
            for younger in sorted(near, key=lambda other: -rank[other]):
                number = group_of[younger]
                others = [one for one in groups[number] if one != younger]
                if _can_join(search, place, others):
                    groups[number] = sorted([*others, place])
                    group_of[place], group_of[younger] = number, _NONE
                    is_changed = goes_on = True
                    break
    return is_changed


def _younger(
    search: Search,
    place: int,
    groups: Sequence[Sequence[int]],
    group_of: Sequence[int],
    rank: Sequence[int],
) -> Iterator[int]:
    """Those in near matches who have waited less and are as many; of others not too far away."""
    candidates = search.candidates
    near: Sequence[int]
    if candidates.band is not None:
        near = candidates.band.around(place).tolist()
    else:
        near = range(max(0, place - search.most), min(len(candidates), place + search.most + 1))
    size, spread, own = candidates.size[place], candidates.spread[place], candidates.rating[place]
    for number in sorted({group_of[other] for other in near} - {_NONE}):
        group = groups[number]
        for other in group:
            if rank[other] > rank[place] and candidates.size[other] == size:
                low = candidates.rating[group[1] if group[0] == other else group[0]]
                high = candidates.rating[group[-2] if group[-1] == other else group[-1]]
                if max(own, high) - min(own, low) <= spread:
                    yield other


def _can_join(search: Search, place: int, others: Sequence[int]) -> bool:
    """Whether the others, in ascending order, fill a match with the place."""
    candidates = search.candidates
    first, last = min(place, others[0]), max(place, others[-1])
    spread = candidates.rating[last] - candidates.rating[first]
    for one in (place, *others):
        if spread > candidates.spread[one]:
            return False
        if first < candidates.low[one] or last >= candidates.high[one]:
            return False
    if candidates.band and not candidates.band.holds_all(place, others):
        return False
    vetoed = candidates.vetoed[place]
    for one in others:
        vetoed |= candidates.vetoed[one]
    if search.maps and not search.maps & ~vetoed:
        return False
    return search.can_split([place, *others])
