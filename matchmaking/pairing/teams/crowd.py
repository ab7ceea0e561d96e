"""Tickets that wait for a match of teams, in the order of their ratings."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from matchmaking.pairing.model.plan import Plan
from matchmaking.pairing.teams.neighbours import Band
from matchmaking.pairing.teams.pool import Hall
from matchmaking.pairing.teams.roles import Roles
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Ints

__all__ = ["Crowd"]


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
