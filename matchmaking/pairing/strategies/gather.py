"""Matches around one ticket after another, oldest first: what all strategies but filters share.

Tickets stand in a row and leave it one after another. The teams of one match are filled around a ticket, parties whole,
and the groups that come of it become matches.
"""

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from matchmaking.pairing.conditions.build import conditions_of, costs_of
from matchmaking.pairing.model.plan import Plan
from matchmaking.pairing.model.proposed import Meetings, Pairs, as_meetings
from matchmaking.pairing.strategies.held_conditions import Demands
from matchmaking.pairing.teams import arrange
from matchmaking.pairing.teams.packing import REFUSED, Shape
from matchmaking.pairing.teams.split import Divider
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Floats, Ints

__all__ = ["Filler", "Row", "assemble", "take_turns"]

_END = -1
# So many are considered for one match of teams; in vain, then so many.
_WINDOWS = (48, 192)


class Row:
    """Tickets in ascending order of a figure, and from each of them the others who still stand there.

    A step costs the same however many have left: each place knows the next that is taken.
    """

    __slots__ = ("_above", "_at", "_below", "_first", "_place", "_tickets")

    def __init__(self, tickets: Ints, at: Floats) -> None:
        """`tickets` are positions in the order of `at`, their figures, which never fall."""
        n = len(tickets)
        self._tickets: list[int] = tickets.tolist()
        self._at: list[float] = at.tolist()
        self._place = {ticket: place for place, ticket in enumerate(self._tickets)}
        self._above = [*range(1, n), _END]
        self._below = list(range(-1, n - 1))
        self._first = 0 if n else _END

    def __contains__(self, ticket: int) -> bool:
        return ticket in self._place

    def remove(self, ticket: int) -> None:
        """Let a ticket that stands here leave."""
        place = self._place.pop(ticket)
        below, above = self._below[place], self._above[place]
        if below == _END:
            self._first = above
        else:
            self._above[below] = above
        if above != _END:
            self._below[above] = below

    def others(self, ticket: int) -> Iterator[int]:
        """Everybody else, from the first of the row on. Nobody may leave before the end."""
        place = self._first
        while place != _END:
            if self._tickets[place] != ticket:
                yield self._tickets[place]
            place = self._above[place]

    def around(self, ticket: int) -> Iterator[tuple[float, int]]:
        """Everybody else, nearest first, each behind the distance. Nobody may leave before the end.

        Of two equally near the lower one comes first.
        """
        at, own = self._at, self._at[self._place[ticket]]
        below, above = self._below[self._place[ticket]], self._above[self._place[ticket]]
        while below != _END or above != _END:
            down = own - at[below] if below != _END else float("inf")
            up = at[above] - own if above != _END else float("inf")
            if down <= up:
                yield down, self._tickets[below]
                below = self._below[below]
            else:
                yield up, self._tickets[above]
                above = self._above[above]


def take_turns(
    tickets: Tickets,
    plan: Plan,
    demands: Demands,
    row: Row,
    others: Callable[[int], Iterable[int]],
) -> list[list[int]]:
    """Groups of those in `row`, who leave it with their group.

    others  everybody else in the row, in the order in which a ticket would have them
    """
    filler, groups = Filler(tickets, plan, demands), []
    for seeker in tickets.by_age().tolist():
        if seeker in row:
            group = filler.around(seeker, others(seeker))
            if group is not None:
                groups.append(group)
                for ticket in group:
                    row.remove(ticket)
    return groups


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


def assemble(tickets: Tickets, plan: Plan, groups: list[list[int]]) -> Meetings:
    """The matches of these groups, each of as many players as a match has; whoever waited longest first."""
    return (_as_duels if plan.is_duel else arrange)(tickets, plan, groups)


def _as_duels(tickets: Tickets, plan: Plan, groups: list[list[int]]) -> Meetings:
    by_age = tickets.by_age()
    rank = np.argsort(by_age)
    pairs = np.array(groups, dtype=np.int64).reshape(-1, 2)
    pairs = np.take_along_axis(pairs, np.argsort(rank[pairs], axis=1), axis=1)
    first, second = pairs[np.argsort(rank[pairs[:, 0]])].T
    is_left = np.ones(len(tickets), dtype=np.bool_)
    is_left[pairs.ravel()] = False
    found = Pairs(
        first=first,
        second=second,
        gap=np.abs(tickets.rating[first] - tickets.rating[second]),
        left=by_age[is_left[by_age]],
    )
    return as_meetings(found, costs_of(tickets, conditions_of(plan), first, second))
