"""Filling one match around a ticket."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

import numpy as np

from matchmaking.pairing.condition import Condition
from matchmaking.pairing.teams.capacity import REFUSED
from matchmaking.pairing.teams.division import Divider
from matchmaking.pairing.teams.pool import END, Candidates, FreePlaces, TeamPool
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Floats, Ints

__all__ = ["Dislikes", "PartialMatch", "Search"]


class Dislikes:
    """Seconds that any two places would wait to avoid each other, all conditions together."""

    def __init__(self, tickets: Tickets, order: Ints, costing: Sequence[Condition]) -> None:
        """`order`: the position of the ticket at each place; `costing`: conditions for these tickets."""
        self._tickets, self._order, self._costing = tickets, order, costing

    def between(self, places: Sequence[int]) -> Floats:
        """(g, g) of every two of the places; 0 of each with itself."""
        one, other = np.triu_indices(len(places), k=1)
        ticket = self._order[np.array(places, dtype=np.int64)]
        cost = np.zeros((len(places), len(places)))
        for condition in self._costing:
            cost[one, other] += condition.cost(self._tickets, ticket[one], ticket[other])
        return cost + cost.T

    def within(self, places: Sequence[int]) -> float:
        """Of a match of these places: the sum over every two of them."""
        return float(self.between(places).sum()) / 2


class Search:
    """Matches among some of the tickets of a pool, and what all of them have in common.

    candidates  the tickets, in the order of ratings
    free        those of them that are in no match yet
    most        places that are looked at around a ticket
    maps        the queue's maps as bits; 0: it has none
    dislikes    what those who may meet dislike in each other besides ratings; None: nothing
    """

    def __init__(self, pool: TeamPool, divider: Divider, waiting: Ints) -> None:
        """`waiting`: positions of the tickets."""
        self.candidates = Candidates.of(pool, waiting, divider.missing)
        self.free = FreePlaces(len(self.candidates))
        self.shape, self.roles, self.most = pool.shape, divider.roles, pool.reach
        self.maps = (1 << len(pool.plan.settings.game_maps)) - 1
        self.dislikes: Dislikes | None = None
        if pool.costing:
            order = np.array(self.candidates.ticket, dtype=np.int64)
            self.dislikes = Dislikes(pool.tickets, order, pool.costing)
        self._divider = divider

    def tickets_of(self, places: Sequence[int]) -> list[int]:
        """Positions in the tickets."""
        return [self.candidates.ticket[place] for place in places]

    def can_split(self, places: Sequence[int]) -> bool:
        """Whether the places of a full match can be split into teams that fill their roles."""
        if not self.roles.is_needed:
            return True
        return self._divider.divide([self.tickets_of(places)])[0] is not None

    def around(self, place: int) -> list[int] | None:
        """A match of a free place and others; None where those looked at do not fill one.

        As `nearest_first` finds it, or the same with those liked best, if they like each other better.
        """
        found = self.nearest_first(place)
        if found is None or self.dislikes is None:
            return found
        # Of those near always the one liked best by all taken so far.
        near = [place, *self.nearest(place)]
        cost = self.dislikes.between(near)
        match, total = PartialMatch(self, place), cost[0].copy()
        total[0] = np.inf
        for _ in near[1:]:
            at = int(total.argmin())
            other, total[at] = near[at], np.inf
            if not match.accepts(other):
                continue
            if not match.completes(other):
                match.add(other)
                total += cost[at]
            elif self.can_split([*match.places, other]):
                liked = [*match.places, other]
                is_better = self.dislikes.within(liked) < self.dislikes.within(found)
                return liked if is_better else found
        return found

    def nearest_first(self, place: int) -> list[int] | None:
        """A match of a free place and the nearest; in vain, once more the largest first.

        Of those it goes through, it takes everyone who still fits, and accepts all taken so far and
        is accepted by them.
        """
        candidates, places = self.candidates, self.shape.places
        low, high = candidates.low[place], candidates.high[place]
        if candidates.players[high] - candidates.players[low] < places:
            return None
        found = self.fill(place, self.nearest(place))
        if found is not None:
            return found
        size, near = candidates.size, list(self.nearest(place))
        is_enough = size[place] + sum(size[other] for other in near) >= places
        if not is_enough or all(size[other] == 1 for other in near):
            return None
        return self.fill(place, sorted(near, key=lambda other: -size[other]))

    def fill(self, place: int, others: Iterable[int]) -> list[int] | None:
        """The place and those of `others` who fill a match with it, taken as they come."""
        match = PartialMatch(self, place)
        for other in others:
            if match.accepts(other):
                if not match.completes(other):
                    match.add(other)
                elif self.can_split([*match.places, other]):
                    return [*match.places, other]
        return None

    def nearest(self, place: int) -> Iterator[int]:
        """Other free places in the order of their distance in rating, of equal ones the lower first.

        So many as are looked at, of those who suit the place where that is known of far ones.
        """
        band = self.candidates.band
        if band is not None and band.reach > self.most:
            near = band.around(place)
            near = near[self.free.is_free[near]]
            at = int(np.searchsorted(near, place))
            near = np.concatenate((near[:at][::-1], near[at:]))  # of equals the nearest place first
            apart = np.abs(self.ratings[near] - self.ratings[place])
            yield from near[np.argsort(apart, kind="stable")][: self.most].tolist()
            return
        rating, reach = self.candidates.rating, self.candidates.spread[place]
        low, high = self.candidates.low[place], self.candidates.high[place]
        own, above, below = rating[place], self.free.above, self.free.below
        up, down = above[place], below[place]
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
        """Of all places."""
        return np.array(self.candidates.rating)


class PartialMatch:
    """Places taken for one match so far, and what further ones must keep to."""

    def __init__(self, search: Search, place: int) -> None:
        candidates = search.candidates
        self._search, self.places = search, [place]
        self._state = search.shape.join(0, candidates.size[place])
        self._first = self._last = place
        self._low, self._high = candidates.low[place], candidates.high[place]
        self._spread = candidates.spread[place]
        self._suited = candidates.band.suits[place] if candidates.band else 0
        self._vetoed, self._missing = candidates.vetoed[place], candidates.missing[place]

    def accepts(self, other: int) -> bool:
        """Whether the place fits in, and everybody accepts everybody."""
        search, candidates = self._search, self._search.candidates
        if search.shape.join(self._state, candidates.size[other]) == REFUSED:
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
        if band is not None and not band.holds(self._suited, other - self.places[0]):
            return False
        if search.maps and not search.maps & ~(self._vetoed | candidates.vetoed[other]):
            return False
        return search.roles.allows_match(self._missing + candidates.missing[other])

    def completes(self, other: int) -> bool:
        """Whether the match is full with this place, which it accepts."""
        shape = self._search.shape
        state = shape.join(self._state, self._search.candidates.size[other])
        return shape.taken[state] == shape.places

    def add(self, other: int) -> None:
        """Take a place that it accepts."""
        candidates = self._search.candidates
        self._state = self._search.shape.join(self._state, candidates.size[other])
        self._first, self._last = min(self._first, other), max(self._last, other)
        self._low = max(self._low, candidates.low[other])
        self._high = min(self._high, candidates.high[other])
        self._spread = min(self._spread, candidates.spread[other])
        self._vetoed |= candidates.vetoed[other]
        self._missing += candidates.missing[other]
        if candidates.band:
            step, suits = other - self.places[0], candidates.band.suits[other]
            self._suited &= suits << step if step >= 0 else suits >> -step
        self.places.append(other)
