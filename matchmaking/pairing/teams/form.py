"""Matches of teams, and free-for-all: groups of tickets that fill a match, in turn from whoever has waited longest."""

from collections.abc import Iterator, Sequence

import numpy as np

from matchmaking.pairing.model.plan import Plan
from matchmaking.pairing.model.proposed import Meetings
from matchmaking.pairing.teams.arrange import arrange
from matchmaking.pairing.teams.fill import Dislikes, Search
from matchmaking.pairing.teams.packing import Shape
from matchmaking.pairing.teams.pool import Crowd, Free, Hall, eligible
from matchmaking.pairing.teams.split import Divider
from matchmaking.pairing.teams.yield_to_older import yield_to_older
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Ints

__all__ = ["find_groups", "form"]

# Places looked at around a ticket: so many, or this many times the players of a match.
_LEAST_REACH, _REACH = 48, 5


def find_groups(tickets: Tickets, plan: Plan) -> Meetings:
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
    """Groups of positions, each of as many players as a match has, all of whom accept each other.

    Rounds of seeking around every ticket that is still free, the oldest first, until nobody finds a
    match, neither around nor upwards; then the younger yield to the older, and if anybody did, the
    rounds begin anew.
    """
    waiting = eligible(tickets, plan, divider.roles, divider.missing)
    searches = _Searches(tickets, plan, divider)
    everybody = searches.of(waiting)
    groups = _seek(searches, everybody, waiting, [])
    place = {ticket: at for at, ticket in enumerate(everybody.crowd.ticket)}
    while True:
        places = [[place[ticket] for ticket in group] for group in groups]
        if not yield_to_older(everybody, places):
            return groups
        groups = [[everybody.crowd.ticket[at] for at in group] for group in places]
        left = np.setdiff1d(waiting, np.concatenate(groups))
        groups = _seek(searches, searches.of(left), left, groups)


def _seek(
    searches: "_Searches", search: Search, waiting: Ints, groups: list[list[int]]
) -> list[list[int]]:
    """The groups and all that are found among those waiting, until none is."""
    while found := [*_seek_around(search)] or [*_seek_upwards(search)]:
        groups = groups + [[search.crowd.ticket[at] for at in group] for group in found]
        waiting = np.setdiff1d(waiting, np.concatenate(groups))
        search = searches.of(waiting)
    return groups


class _Searches:
    """Begins searches among some of the tickets."""

    def __init__(self, tickets: Tickets, plan: Plan, divider: Divider) -> None:
        self._hall, self._plan, self._divider = Hall(tickets, plan), plan, divider
        self._shape = Shape(plan.team_count, plan.team_size)
        self._reach = max(_LEAST_REACH, _REACH * self._shape.places)

    def of(self, waiting: Ints) -> Search:
        """A search among these positions."""
        missing, roles = self._divider.missing, self._divider.roles
        crowd = Crowd.of(self._hall, waiting, missing, reach=self._reach)

        def can_split(places: Sequence[int]) -> bool:
            group = [crowd.ticket[place] for place in places]
            return self._divider.divide([group])[0] is not None

        return Search(
            crowd=crowd,
            shape=self._shape,
            roles=roles,
            free=Free(len(crowd)),
            can_split=can_split if roles.is_needed else lambda _places: True,
            most=self._reach,
            maps=(1 << len(self._plan.settings.game_maps)) - 1,
            dislikes=self._dislikes(crowd),
        )

    def _dislikes(self, crowd: Crowd) -> Dislikes | None:
        hall = self._hall
        if not hall.costing:
            return None
        return Dislikes(hall.tickets, np.array(crowd.ticket, dtype=np.int64), hall.costing)


def _seek_around(search: Search) -> Iterator[list[int]]:
    for place in search.crowd.by_age:
        if search.free.is_free[place]:
            found = search.around(place)
            if found is not None:
                search.free.take(found)
                yield found


def _seek_upwards(search: Search) -> Iterator[list[int]]:
    """Matches of a free place and of stronger ones who accept a spread that enough of them accept.

    Around a ticket somebody with little tolerance can be taken who closes the match to many others.
    """
    crowd, free = search.crowd, search.free
    for place, floor in best_floors(crowd, search.shape.places, search.most):
        highest = crowd.rating[place] + floor
        others = (
            other
            for other in range(place + 1, min(place + 1 + search.most, len(crowd)))
            if free.is_free[other]
            and crowd.spread[other] >= floor
            and crowd.rating[other] <= highest
        )
        found = search.fill(place, others) if free.is_free[place] else None
        if found is not None:
            free.take(found)
            yield found


def best_floors(crowd: Crowd, places: int, reach: int) -> Iterator[tuple[int, float]]:
    """Places, and of each the spread, that have enough players above for a match.

    A match from a place upwards needs `places` players who all accept some spread and are within it.
    Of the spreads that those accept who are up to `reach` places above, the one with most players.
    """
    rating, spread = np.array(crowd.rating), np.array(crowd.spread)
    size = np.array(crowd.size)
    players = np.concatenate(([0], np.cumsum(size)))
    for place in range(len(crowd)):
        top = min(place + 1 + reach, len(crowd))
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
