"""Everybody who waits for a match of teams, in the order of ratings, and what is worked out once for all of a sweep."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

import numpy as np

from matchmaking.pairing.condition import Use
from matchmaking.pairing.conditions import RatingGap
from matchmaking.pairing.duels.interval_graph import IntervalGraph
from matchmaking.pairing.plan import Plan, conditions_of
from matchmaking.pairing.teams.adjacency_band import AdjacencyBand
from matchmaking.pairing.teams.capacity import TeamPacking
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Bools, Floats, Ints

__all__ = ["END", "Candidates", "FreeVertices", "TeamPool"]

END = -1
# Vertices looked at around a ticket: so many, or this many times the players of a match.
_LEAST_REACH, _REACH = 48, 5


class TeamPool:
    """All n tickets of a queue.

    intervals  their vertices by rating, and what interval each accepts by the rating condition
    order      int64 (n,), the position of the ticket at each vertex
    spread     float64 (n,), by position: points between strongest and weakest of a match it accepts
    sizes      int64 (n,), by position: players
    vetoed     int64 (n,), by position: maps as bits; all 0 where the queue has none
    packing    which parties fit into a match
    reach      vertices that are looked at around a ticket
    held       the other conditions that may refuse somebody
    costing    conditions that say what those who may meet dislike, that of the rating among them; empty
               where it alone has anything to say: then the nearest are the best
    """

    def __init__(self, tickets: Tickets, plan: Plan) -> None:
        self.tickets, self.plan = tickets, plan
        gap = np.full(len(tickets), np.inf)
        self.held, costing = [], []
        for condition in conditions_of(plan):
            if is_gap := type(condition) is RatingGap:
                gap = np.minimum(gap, condition.tolerances(tickets))
            if condition.is_idle(tickets):
                continue
            if not is_gap and condition.use is not Use.PREFER:
                self.held.append(condition.bound(tickets))
            # Where nobody accepts any distance, those who meet dislike nothing in each other.
            if condition.seconds and condition.tolerances(tickets).any():
                costing.append(condition.bound(tickets))
        self.costing = [] if all(type(one) is RatingGap for one in costing) else costing
        self.intervals, self.order = IntervalGraph.of(tickets, gap)
        self.packing = TeamPacking(plan.team_count, plan.team_size)
        self.reach = max(_LEAST_REACH, _REACH * self.packing.capacity)
        teams = plan.settings.teams
        self.spread: Floats = teams.spread_start + teams.spread_per_second * tickets.waited
        self.sizes = tickets.members.sizes
        self.vetoed: Ints = np.zeros(len(tickets), dtype=np.int64)
        maps = len(plan.settings.game_maps)
        if maps and "maps_vetoed" in tickets.traits:
            self.vetoed = tickets.traits["maps_vetoed"] & ((1 << maps) - 1)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Candidates:
    """n vertices in ascending order of rating; lists, as groups are formed one ticket at a time.

    ticket   positions in the `Tickets`
    rating   rating points, ascending
    low      the first vertex whose rating each accepts
    high     the first vertex above whose rating is too high
    spread   rating points between the strongest and the weakest of a match that each accepts
    size     players
    players  players of all vertices below each, and of all
    by_age   vertices, who has waited longest first
    vetoed   maps as bits; all 0 where the queue has none
    missing  what each lacks of the roles; see `Roles`
    band     which vertices accept each other by the other conditions; None: all of them
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
    band: AdjacencyBand | None

    @classmethod
    def of(cls, pool: TeamPool, chosen: Ints, missing: dict[int, int]) -> Self:
        """The `chosen` positions of a pool, with what each ticket is `missing`."""
        vertices = np.flatnonzero(np.isin(pool.order, chosen))
        intervals, order = pool.intervals.only(vertices), pool.order[vertices]
        sizes, spread, ticket = pool.sizes[order], pool.spread[order], order.tolist()
        return cls(
            ticket=ticket,
            rating=intervals.rating.tolist(),
            low=intervals.low.tolist(),
            high=intervals.high.tolist(),
            spread=spread.tolist(),
            size=sizes.tolist(),
            players=np.concatenate(([0], np.cumsum(sizes))).tolist(),
            by_age=np.argsort(intervals.rank).tolist(),
            vetoed=pool.vetoed[order].tolist(),
            missing=[missing.get(position, 0) for position in ticket],
            band=AdjacencyBand.of(
                pool.tickets, pool.held, order, intervals, spread, reach=pool.reach
            ),
        )

    def __len__(self) -> int:
        return len(self.ticket)


class FreeVertices:
    """Each of n vertices knows the next free one above and below it, so that those taken cost nothing."""

    def __init__(self, n: int) -> None:
        self.is_free: Bools = np.ones(n, dtype=np.bool_)
        self.above = [*range(1, n), END] if n else []
        self.below = list(range(END, n - 1))

    def take(self, vertices: Iterable[int]) -> None:
        """Take free vertices out of the order."""
        for vertex in vertices:
            self.is_free[vertex] = False
            below, above = self.below[vertex], self.above[vertex]
            if below != END:
                self.above[below] = above
            if above != END:
                self.below[above] = below
