"""Everybody who waits for a match of teams, in the order of ratings, and what is worked out once for all of a sweep."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

import numpy as np

from matchmaking.pairing.condition import Condition, Use
from matchmaking.pairing.conditions import RatingGap
from matchmaking.pairing.conditions.build import conditions_of
from matchmaking.pairing.duels.rating_line import Line
from matchmaking.pairing.model.plan import Plan
from matchmaking.pairing.teams.neighbours import Band
from matchmaking.pairing.teams.roles import Roles
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Bools, Floats, Ints

__all__ = ["END", "Crowd", "Free", "Hall"]

END = -1


class Hall:
    """All n tickets of a queue.

    line    their places by rating, and what stretch of it each accepts by the rating condition
    order   int64 (n,), the position of the ticket at each place
    spread  float64 (n,), by position: points between strongest and weakest of a match it accepts
    sizes   int64 (n,), by position: players
    held    the other conditions that may refuse somebody
    costing conditions that say what those who may meet dislike, that of the rating among them; empty where
            it alone has anything to say: then the nearest are the best
    """

    def __init__(self, tickets: Tickets, plan: Plan) -> None:
        self.tickets, self.plan = tickets, plan
        conditions, gap = conditions_of(plan), np.full(len(tickets), np.inf)
        for condition in conditions:
            if type(condition) is RatingGap:
                gap = np.minimum(gap, condition.tolerances(tickets))
        self.line, self.order = Line.by(tickets, gap, start=0.0)
        self.held = [one.bound(tickets) for one in conditions if _may_refuse(one, tickets)]
        costing = [one.bound(tickets) for one in conditions if _may_cost(one, tickets)]
        is_near_best = all(type(one) is RatingGap for one in costing)
        self.costing = [] if is_near_best else costing
        teams = plan.settings.teams
        self.spread: Floats = teams.spread_start + teams.spread_per_second * tickets.waited
        self.sizes = tickets.seats.sizes
        self._place = np.empty(len(tickets), dtype=np.int64)
        self._place[self.order] = np.arange(len(tickets))

    def places(self, chosen: Ints) -> Ints:
        """The places of these positions, ascending."""
        return np.sort(self._place[chosen])


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Crowd:
    """n places in ascending order of rating; lists, as groups are formed one ticket at a time.

    ticket   positions in the `Tickets`
    rating   rating points, ascending
    low      the first place whose rating each accepts
    high     the first place above whose rating is too high
    spread   rating points between the strongest and the weakest of a match that each accepts
    size     players
    players  players of all places below each, and of all
    by_age   places, who has waited longest first
    vetoed   maps as bits; all 0 where the queue has none
    missing  what each lacks of the roles; see `Roles`
    band     who accepts whom by the other conditions; None: everyone everyone
    """

    ticket: list[int]
    rating: list[float]
    low: list[int]
    high: list[int]
    spread: list[float]
    size: list[int]
    players: list[int]
    by_age: list[int]
    vetoed: list[int]
    missing: list[int]
    band: Band | None

    @classmethod
    def of(cls, hall: Hall, chosen: Ints, missing: dict[int, int], *, reach: int) -> Self:
        """The crowd of the `chosen` positions; conditions are asked for places up to `reach` apart."""
        line, tickets = hall.line.only(places := hall.places(chosen)), hall.tickets
        order, sizes = hall.order[places], hall.sizes[hall.order[places]]
        spread, ticket = hall.spread[order], order.tolist()
        return cls(
            ticket=ticket,
            rating=line.rating.tolist(),
            low=line.low.tolist(),
            high=line.high.tolist(),
            spread=spread.tolist(),
            size=sizes.tolist(),
            players=np.concatenate(([0], np.cumsum(sizes))).tolist(),
            by_age=np.argsort(line.rank).tolist(),
            vetoed=_vetoed(tickets, hall.plan, order),
            missing=[missing.get(position, 0) for position in ticket],
            band=Band.of(tickets, hall.held, order, line, spread, reach=reach),
        )

    def __len__(self) -> int:
        return len(self.ticket)


def eligible(tickets: Tickets, plan: Plan, roles: Roles, missing: dict[int, int]) -> Ints:
    """Positions of tickets that could be in a team at all: not too large, and not all of one role."""
    fits = tickets.seats.sizes <= plan.team_size
    if roles.is_needed:
        allowed = [roles.allows_team(missing[ticket]) for ticket in range(len(tickets))]
        fits &= np.array(allowed, dtype=np.bool_)
    return np.flatnonzero(fits)


def _vetoed(tickets: Tickets, plan: Plan, order: Ints) -> list[int]:
    maps = len(plan.settings.game_maps)
    if not maps or "maps_vetoed" not in tickets.traits:
        return [0] * len(order)
    vetoed: list[int] = (tickets.traits["maps_vetoed"][order] & ((1 << maps) - 1)).tolist()
    return vetoed


def _may_cost(condition: Condition, tickets: Tickets) -> bool:
    """Whether tickets that it lets meet may dislike each other: not where nobody accepts any distance."""
    if not condition.seconds or condition.is_idle(tickets):
        return False
    return bool(condition.tolerances(tickets).any())


def _may_refuse(condition: Condition, tickets: Tickets) -> bool:
    if type(condition) is RatingGap or condition.use is Use.PREFER:
        return False
    return not condition.is_idle(tickets)


class Free:
    """Each of n places knows the next free one above and below it, so that those taken cost nothing."""

    def __init__(self, n: int) -> None:
        self.is_free: Bools = np.ones(n, dtype=np.bool_)
        self.above = [*range(1, n), END] if n else []
        self.below = list(range(END, n - 1))

    def take(self, places: Iterable[int]) -> None:
        """Take free places out of the row."""
        for place in places:
            self.is_free[place] = False
            below, above = self.below[place], self.above[place]
            if below != END:
                self.above[below] = above
            if above != END:
                self.below[above] = below
