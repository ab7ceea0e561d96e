"""Filling one match around a ticket."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from matchmaking.pairing.condition import Condition
from matchmaking.pairing.teams.packing import REFUSED, Shape
from matchmaking.pairing.teams.pool import END, Crowd, Free
from matchmaking.pairing.teams.roles import Roles
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Floats, Ints

__all__ = ["Dislikes", "Match", "Search"]


class Dislikes:
    """Seconds that any two places of a crowd would wait to avoid each other, all conditions together."""

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


@dataclass(frozen=True, kw_only=True)
class Search:
    """What all matches of a crowd have in common.

    can_split  whether the places of a full match can be split into teams that fill their roles
    most       places that are looked at around a ticket
    maps       the queue's maps as bits; 0: it has none
    dislikes   what those who may meet dislike in each other besides ratings; None: nothing
    """

    crowd: Crowd
    shape: Shape
    roles: Roles
    free: Free
    can_split: Callable[[Sequence[int]], bool]
    most: int
    maps: int
    dislikes: Dislikes | None

    def around(self, place: int) -> list[int] | None:
        """A match of a free place and others; None where those looked at do not fill one.

        As `nearest_first` finds it, or the same with those liked best, if they like each other better.
        """
        found = self.nearest_first(place)
        if found is None or self.dislikes is None:
            return found
        liked = self._with_liked(place, self.dislikes)
        if liked is None or self.dislikes.within(liked) >= self.dislikes.within(found):
            return found
        return liked

    def nearest_first(self, place: int) -> list[int] | None:
        """A match of a free place and the nearest; in vain, once more the largest first.

        Of those it goes through, it takes everyone who still fits, and accepts all taken so far and
        is accepted by them.
        """
        crowd = self.crowd
        if crowd.players[crowd.high[place]] - crowd.players[crowd.low[place]] < self.shape.places:
            return None
        found = self.fill(place, self.nearest(place))
        if found is not None:
            return found
        size, near = crowd.size, list(self.nearest(place))
        is_enough = size[place] + sum(size[other] for other in near) >= self.shape.places
        if not is_enough or all(size[other] == 1 for other in near):
            return None
        return self.fill(place, sorted(near, key=lambda other: -size[other]))

    def fill(self, place: int, others: Iterable[int]) -> list[int] | None:
        """The place and those of `others` who fill a match with it, taken as they come."""
        match = Match(self, place)
        for other in others:
            if match.accepts(other):
                if not match.completes(other):
                    match.add(other)
                elif self.can_split([*match.places, other]):
                    return [*match.places, other]
        return None

    def _with_liked(self, place: int, dislikes: Dislikes) -> list[int] | None:
        """A match of a free place and, of those near, always the one liked best by all taken so far."""
        near = [place, *self.nearest(place)]
        cost = dislikes.between(near)
        match, total = Match(self, place), cost[0].copy()
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
                return [*match.places, other]
        return None

    def nearest(self, place: int) -> Iterable[int]:
        """Other free places in the order of their distance in rating, of equal ones the lower first.

        So many as are looked at, of those who suit the place where that is known of far ones.
        """
        band = self.crowd.band
        if band is None or band.reach <= self.most:
            return self._step_away(place)
        near = band.around(place)
        near = near[self.free.is_free[near]]
        at = int(np.searchsorted(near, place))
        near = np.concatenate((near[:at][::-1], near[at:]))  # of equals the nearest place first
        apart = np.abs(self.ratings[near] - self.ratings[place])
        nearest: list[int] = near[np.argsort(apart, kind="stable")][: self.most].tolist()
        return nearest

    def _step_away(self, place: int) -> Iterator[int]:
        rating, reach = self.crowd.rating, self.crowd.spread[place]
        low, high = self.crowd.low[place], self.crowd.high[place]
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
        return np.array(self.crowd.rating)


class Match:
    """Places taken for one match so far, and what further ones must keep to."""

    def __init__(self, search: Search, place: int) -> None:
        crowd = search.crowd
        self._search, self.places = search, [place]
        self._state = search.shape.join(0, crowd.size[place])
        self._first = self._last = place
        self._low, self._high = crowd.low[place], crowd.high[place]
        self._spread = crowd.spread[place]
        self._alive = crowd.band.suits[place] if crowd.band else 0
        self._vetoed, self._missing = crowd.vetoed[place], crowd.missing[place]

    def accepts(self, other: int) -> bool:
        """Whether the place fits in, and everybody accepts everybody."""
        search, crowd = self._search, self._search.crowd
        if search.shape.join(self._state, crowd.size[other]) == REFUSED:
            return False
        if not (self._suits_rating(other) and self._suits_band(other)):
            return False
        if search.maps and not search.maps & ~(self._vetoed | crowd.vetoed[other]):
            return False
        return search.roles.allows_match(self._missing + crowd.missing[other])

    def _suits_rating(self, other: int) -> bool:
        crowd, first, last = self._search.crowd, self._first, self._last
        if not self._low <= other < self._high:
            return False
        if first < crowd.low[other] or last >= crowd.high[other]:
            return False
        spread = crowd.rating[max(last, other)] - crowd.rating[min(first, other)]
        return spread <= self._spread and spread <= crowd.spread[other]

    def _suits_band(self, other: int) -> bool:
        band = self._search.crowd.band
        return band is None or band.holds(self._alive, other - self.places[0])

    def completes(self, other: int) -> bool:
        """Whether the match is full with this place, which it accepts."""
        shape = self._search.shape
        state = shape.join(self._state, self._search.crowd.size[other])
        return shape.taken[state] == shape.places

    def add(self, other: int) -> None:
        """Take a place that it accepts."""
        crowd = self._search.crowd
        self._state = self._search.shape.join(self._state, crowd.size[other])
        self._first, self._last = min(self._first, other), max(self._last, other)
        self._low = max(self._low, crowd.low[other])
        self._high = min(self._high, crowd.high[other])
        self._spread = min(self._spread, crowd.spread[other])
        self._vetoed |= crowd.vetoed[other]
        self._missing += crowd.missing[other]
        if crowd.band:
            step, suits = other - self.places[0], crowd.band.suits[other]
            self._alive &= suits << step if step >= 0 else suits >> -step
        self.places.append(other)
