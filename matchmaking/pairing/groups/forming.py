"""Groups of tickets that fill a match, in turn from whoever has waited longest."""

from collections.abc import Iterator, Sequence

import numpy as np

from matchmaking.pairing.groups.crowd import Crowd, eligible
from matchmaking.pairing.groups.dividing import Divider
from matchmaking.pairing.groups.floors import best_floors
from matchmaking.pairing.groups.free import Free
from matchmaking.pairing.groups.packing import Shape
from matchmaking.pairing.groups.seeking import Search
from matchmaking.pairing.plan import Plan
from matchmaking.pairing.tickets import Tickets

__all__ = ["form"]

# Places looked at around a ticket: so many, or this many times the players of a match.
_LEAST_REACH, _REACH = 48, 5


def form(tickets: Tickets, plan: Plan, divider: Divider) -> list[list[int]]:
    """Groups of positions, each of as many players as a match has, all of whom accept each other.

    Rounds of seeking around every ticket that is still free, the oldest first; ended by one in which
    nobody finds a match, neither around nor upwards.
    """
    waiting = eligible(tickets, plan, divider.roles, divider.missing)
    shape = Shape(plan.team_count, plan.team_size)
    groups: list[list[int]] = []
    while tickets.seats.sizes[waiting].sum() >= shape.places:
        reach = max(_LEAST_REACH, _REACH * shape.places)
        crowd = Crowd.of(tickets, plan, waiting, divider.missing, reach=reach)
        search = _search(crowd, plan, shape, divider, reach)
        found = [*_seek_around(search)] or [*_seek_upwards(search)]
        if not found:
            break
        groups += [[crowd.ticket[place] for place in group] for group in found]
        waiting = np.setdiff1d(waiting, np.concatenate(groups))
    return groups


def _search(crowd: Crowd, plan: Plan, shape: Shape, divider: Divider, reach: int) -> Search:
    def can_split(places: Sequence[int]) -> bool:
        group = [crowd.ticket[place] for place in places]
        return divider.divide([group])[0] is not None

    return Search(
        crowd=crowd,
        shape=shape,
        roles=divider.roles,
        free=Free(len(crowd)),
        can_split=can_split if divider.roles.is_needed else lambda _places: True,
        most=reach,
        maps=(1 << len(plan.settings.game_maps)) - 1,
    )


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
