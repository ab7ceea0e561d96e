"""Filling one match around a ticket."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

import numpy as np

from matchmaking.pairing.condition import Condition
from matchmaking.pairing.teams.capacity import REFUSED
from matchmaking.pairing.teams.division import Divider
from matchmaking.pairing.teams.pool import END, Candidates, FreeVertices, TeamPool
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Floats, Ints

__all__ = ["Dislikes", "Search"]


class Dislikes:
    """Seconds that any two vertices would wait to avoid each other, all conditions together."""

    def __init__(self, tickets: Tickets, order: Ints, costing: Sequence[Condition]) -> None:
        """`order`: the position of the ticket at each vertex; `costing`: conditions for these tickets."""
        self._tickets, self._order, self._costing = tickets, order, costing

    def between(self, vertices: Sequence[int]) -> Floats:
        """(g, g) of every two of the vertices; 0 of each with itself."""
        one, other = np.triu_indices(len(vertices), k=1)
        ticket = self._order[np.array(vertices, dtype=np.int64)]
        cost = np.zeros((len(vertices), len(vertices)))
        for condition in self._costing:
            cost[one, other] += condition.cost(self._tickets, ticket[one], ticket[other])
        return cost + cost.T

    def within(self, vertices: Sequence[int]) -> float:
        """Of a match of these vertices: the sum over every two of them."""
        return float(self.between(vertices).sum()) / 2


class Search:
    """Matches among some of the tickets of a pool, and what all of them have in common.

    candidates  the tickets, in the order of ratings
    free        those of them that are in no match yet
    most        vertices that are looked at around a ticket
    maps        the queue's maps as bits; 0: it has none
    dislikes    what those who may meet dislike in each other besides ratings; None: nothing
    """

    def __init__(self, pool: TeamPool, divider: Divider, waiting: Ints) -> None:
        """`waiting`: positions of the tickets."""
        self.candidates = Candidates.of(pool, waiting, divider.missing)
        self.free = FreeVertices(len(self.candidates))
        self.packing, self.roles, self.most = pool.packing, divider.roles, pool.reach
        self.maps = (1 << len(pool.plan.settings.game_maps)) - 1
        self.dislikes: Dislikes | None = None
        if pool.costing:
            order = np.array(self.candidates.ticket, dtype=np.int64)
            self.dislikes = Dislikes(pool.tickets, order, pool.costing)
        self._divider = divider

    def tickets_of(self, vertices: Sequence[int]) -> list[int]:
        """Positions in the tickets."""
        return [self.candidates.ticket[vertex] for vertex in vertices]

    def can_split(self, vertices: Sequence[int]) -> bool:
        """Whether the vertices of a full match can be split into teams that fill their roles."""
        if not self.roles.is_needed:
            return True
        return self._divider.divide([self.tickets_of(vertices)])[0] is not None

    def around(self, vertex: int) -> list[int] | None:
        """A match of a free vertex and others; None where those looked at do not fill one.

        As `nearest_first` finds it, or the same with those liked best, if they like each other better.
        """
        found = self.nearest_first(vertex)
        if found is None or self.dislikes is None:
            return found
        # Of those near always the one liked best by all taken so far.
        near = [vertex, *self.nearest(vertex)]
        cost = self.dislikes.between(near)
        match, total = PartialMatch(self, vertex), cost[0].copy()
        total[0] = np.inf
        for _ in near[1:]:
            at = int(total.argmin())
            other, total[at] = near[at], np.inf
            if not match.accepts(other):
                continue
            if not match.completes(other):
                match.add(other)
                total += cost[at]
            elif self.can_split([*match.vertices, other]):
                liked = [*match.vertices, other]
                is_better = self.dislikes.within(liked) < self.dislikes.within(found)
                return liked if is_better else found
        return found

    def nearest_first(self, vertex: int) -> list[int] | None:
        """A match of a free vertex and the nearest; in vain, once more the largest first.

        Of those it goes through, it takes everyone who still fits, and accepts all taken so far and
        is accepted by them.
        """
        candidates, needed = self.candidates, self.packing.capacity
        low, high = candidates.low[vertex], candidates.high[vertex]
        if candidates.players[high] - candidates.players[low] < needed:
            return None
        found = self.fill(vertex, self.nearest(vertex))
        if found is not None:
            return found
        size, near = candidates.size, list(self.nearest(vertex))
        is_enough = size[vertex] + sum(size[other] for other in near) >= needed
        if not is_enough or all(size[other] == 1 for other in near):
            return None
        return self.fill(vertex, sorted(near, key=lambda other: -size[other]))

    def fill(self, vertex: int, others: Iterable[int]) -> list[int] | None:
        """The vertex and those of `others` who fill a match with it, taken as they come."""
        match = PartialMatch(self, vertex)
        for other in others:
            if match.accepts(other):
                if not match.completes(other):
                    match.add(other)
                elif self.can_split([*match.vertices, other]):
                    return [*match.vertices, other]
        return None

    def nearest(self, vertex: int) -> Iterator[int]:
        """Other free vertices in the order of their distance in rating, of equal ones the lower first.

        So many as are looked at, of those who suit the vertex where that is known of far ones.
        """
        band = self.candidates.band
        if band is not None and band.reach > self.most:
            near = band.around(vertex)
            near = near[self.free.is_free[near]]
            at = int(np.searchsorted(near, vertex))
            # Of equals the nearest vertex first.
            near = np.concatenate((near[:at][::-1], near[at:]))
            apart = np.abs(self.ratings[near] - self.ratings[vertex])
            yield from near[np.argsort(apart, kind="stable")][: self.most].tolist()
            return
        rating, reach = self.candidates.rating, self.candidates.spread[vertex]
        low, high = self.candidates.low[vertex], self.candidates.high[vertex]
        own, above, below = rating[vertex], self.free.above, self.free.below
        up, down = above[vertex], below[vertex]
        for _ in range(self.most):
            over = rating[up] - own if END != up < high else float("inf")
            under = own - rating[down] if END != down >= low else float("inf")
            if (nearest := min(over, under)) > reach or nearest == float("inf"):
                return
            if under <= over:
                yield down
                down = below[down]
            else:
                yield up
                up = above[up]

    @cached_property
    def ratings(self) -> Floats:
        """Of all vertices."""
        return np.array(self.candidates.rating)


class PartialMatch:
    """Vertices taken for one match so far, and what further ones must keep to."""

    def __init__(self, search: Search, vertex: int) -> None:
        candidates = search.candidates
        self._search, self.vertices = search, [vertex]
        self._state = search.packing.join(0, candidates.size[vertex])
        self._first = self._last = vertex
        self._low, self._high = candidates.low[vertex], candidates.high[vertex]
        self._spread = candidates.spread[vertex]
        self._suited = candidates.band.suits[vertex] if candidates.band else 0
        self._vetoed, self._missing = candidates.vetoed[vertex], candidates.missing[vertex]

    def accepts(self, other: int) -> bool:
        """Whether the vertex fits in, and everybody accepts everybody."""
        search, candidates = self._search, self._search.candidates
        if search.packing.join(self._state, candidates.size[other]) == REFUSED:
            return False
        first, last = self._first, self._last
        if not self._low <= other < self._high:
            return False
        if first < candidates.low[other] or last >= candidates.high[other]:
            return False
        spread = candidates.rating[max(last, other)] - candidates.rating[min(first, other)]
        if spread > self._spread or spread > candidates.spread[other]:
            return False
        band = candidates.band
        if band is not None and not band.holds(self._suited, other - self.vertices[0]):
            return False
        if search.maps and not search.maps & ~(self._vetoed | candidates.vetoed[other]):
            return False
        return search.roles.allows_match(self._missing + candidates.missing[other])

    def completes(self, other: int) -> bool:
        """Whether the match is full with this vertex, which it accepts."""
        packing = self._search.packing
        state = packing.join(self._state, self._search.candidates.size[other])
        return packing.taken[state] == packing.capacity

    def add(self, other: int) -> None:
        """Take a vertex that it accepts."""
        candidates = self._search.candidates
        self._state = self._search.packing.join(self._state, candidates.size[other])
        self._first, self._last = min(self._first, other), max(self._last, other)
        self._low = max(self._low, candidates.low[other])
        self._high = min(self._high, candidates.high[other])
        self._spread = min(self._spread, candidates.spread[other])
        self._vetoed |= candidates.vetoed[other]
        self._missing += candidates.missing[other]
        if candidates.band:
            step, suits = other - self.vertices[0], candidates.band.suits[other]
            self._suited &= suits << step if step >= 0 else suits >> -step
        self.vertices.append(other)
