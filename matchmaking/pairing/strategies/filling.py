"""Filling the teams of one match around a ticket, parties whole."""

from collections.abc import Iterable

import numpy as np

from matchmaking.pairing.model.plan import Plan
from matchmaking.pairing.strategies.held_conditions import Demands
from matchmaking.pairing.teams.packing import REFUSED, Shape
from matchmaking.pairing.teams.split import Divider
from matchmaking.pairing.tickets import Tickets

__all__ = ["Filler"]

# So many are considered for one match of teams; in vain, then so many.
_WINDOWS = (48, 192)


class Filler:
    """Finds those who fill a match with a ticket."""

    def __init__(self, tickets: Tickets, plan: Plan, demands: Demands) -> None:
        self._demands, self._is_duel = demands, plan.is_duel
        self._shape = Shape(plan.team_count, plan.team_size)
        self._divider = Divider(tickets, plan)
        self._sizes = tickets.seats.sizes.tolist()
        self._vetoed, self._maps = _vetoed(tickets, plan), (1 << len(plan.settings.game_maps)) - 1

    def around(self, seeker: int, others: Iterable[int]) -> list[int] | None:
        """The seeker and the first of `others` who fill a match together; None if they do not.

        Of teams: going through `others` in their order and taking everyone who still finds room in
        a team, and whom all taken so far accept; none but the first 192 are looked at.
        """
        if self._is_duel:
            partner = self._demands.first_agreed(seeker, others)
            return None if partner is None else [seeker, partner]
        if self._sizes[seeker] > self._shape.size:
            return None
        for window in self._demands.windows(others, _WINDOWS):
            if (group := self._fill([seeker, *window])) is not None:
                return group
        return None

    def _fill(self, window: list[int]) -> list[int] | None:
        """The first of the window and those after it who still find room, until the match is full."""
        agreed, chosen = self._demands.all_agree(window), [0]
        state, vetoed = self._shape.join(0, self._sizes[window[0]]), self._vetoed[window[0]]
        missing = self._divider.missing.get(window[0], 0)
        for index, ticket in enumerate(window[1:], start=1):
            joined = self._joined(state, ticket, missing, vetoed)
            if joined != REFUSED and agreed[index, chosen].all():
                state, vetoed = joined, vetoed | self._vetoed[ticket]
                missing += self._divider.missing.get(ticket, 0)
                chosen.append(index)
                if self._shape.taken[state] == self._shape.places:
                    group = [window[one] for one in chosen]
                    return group if self._divider.divide([group])[0] is not None else None
        return None

    def _joined(self, state: int, ticket: int, missing: int, vetoed: int) -> int:
        """The state of the teams with a ticket more; REFUSED without room, a role or a map for it."""
        if self._sizes[ticket] > self._shape.size:
            return REFUSED
        if self._maps and not self._maps & ~(vetoed | self._vetoed[ticket]):
            return REFUSED
        if not self._divider.roles.allows_match(missing + self._divider.missing.get(ticket, 0)):
            return REFUSED
        return self._shape.join(state, self._sizes[ticket])


def _vetoed(tickets: Tickets, plan: Plan) -> list[int]:
    """Maps that each ticket would not play, as bits."""
    nothing = np.zeros(len(tickets), dtype=np.int64)
    vetoed: list[int] = np.asarray(tickets.traits.get("maps_vetoed", nothing)).tolist()
    return vetoed
