"""Matches around one ticket after another, oldest first: what all strategies but filters share.

Tickets stand in a list and leave it one after another. The teams of one match are filled around a ticket, parties
whole, and the groups that come of it become matches. Two strategies follow such a list and no rating: in the order of
arrival, or in one drawn by lot while a pool is new.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

import numpy as np

from matchmaking.pairing.condition import Condition, Use
from matchmaking.pairing.conditions import Rematch
from matchmaking.pairing.maps_and_sides.lots import draw_lots
from matchmaking.pairing.matches import Pairs, ProposedMatches, pairs_as_matches
from matchmaking.pairing.plan import Plan, conditions_of, costs_of
from matchmaking.pairing.teams.capacity import REFUSED, TeamPacking
from matchmaking.pairing.teams.division import Divider, arrange
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Bools, Floats, Ints

__all__ = [
    "HeldConditions",
    "MatchFiller",
    "TicketList",
    "always_held",
    "assemble",
    "find_in_order",
    "held_conditions",
    "mix_evenly",
]

_END = -1
# So many are considered for one match of teams; in vain, then so many.
_WINDOWS = (48, 192)
# So many are asked at once for a duel, and from then on twice as many each time.
_AT_ONCE = 16


def always_held(plan: Plan) -> tuple[Condition, ...]:
    """What holds whatever the strategy: avoided players, a map in common, and what the game demands."""
    own = conditions_of(plan)[: -len(plan.extra) or None]
    return (*(one for one in own if one.is_always_held), *plan.extra)


def held_conditions(plan: Plan) -> tuple[Condition, ...]:
    """What the strategy of a queue holds to: every condition in use, or only what always holds."""
    inside = plan.settings.strategy == "buckets" and plan.settings.buckets.filters_inside
    if plan.mixes or not (plan.settings.strategy == "filters" or inside):
        return always_held(plan)
    return conditions_of(plan)


class HeldConditions:
    """Whether tickets accept each other by some conditions, asked for a few tickets at a time."""

    def __init__(self, tickets: Tickets, conditions: Iterable[Condition]) -> None:
        self._tickets = tickets
        self._asked = [
            (condition, condition.tolerances(tickets))
            for condition in conditions
            if condition.use is not Use.PREFER and not condition.is_idle(tickets)
        ]

    def agree(self, one: Ints, other: Ints) -> Bools:
        """Whether each of `one` and the ticket beside it in `other` accept each other."""
        agreed = np.ones(len(one), dtype=np.bool_)
        for condition, tolerance in self._asked:
            agreed &= condition.allows(self._tickets, one, other, tolerance)
        return agreed

    def all_agree(self, group: Sequence[int]) -> Bools:
        """(g, g): which two of the group accept each other."""
        agreed = np.ones((len(group), len(group)), dtype=np.bool_)
        if self._asked:
            one, other = np.triu_indices(len(group), k=1)
            positions = np.array(group, dtype=np.int64)
            agreed[one, other] = self.agree(positions[one], positions[other])
            agreed[other, one] = agreed[one, other]
        return agreed

    def first_agreed(self, seeker: int, others: Iterable[int]) -> int | None:
        """The first of `others` that the seeker accepts and that accepts the seeker."""
        waiting, at_once = iter(others), _AT_ONCE
        if not self._asked:
            return next(waiting, None)
        while asked := list(islice(waiting, at_once)):
            positions = np.array(asked, dtype=np.int64)
            agreed = self.agree(np.full_like(positions, seeker), positions)
            if agreed.any():
                return asked[int(agreed.argmax())]
            at_once *= 2
        return None


class TicketList:
    """Tickets in ascending order of a figure, and from each of them the others who still stand there.

    A step costs the same however many have left: each slot knows the next that is taken.
    """

    __slots__ = ("_above", "_at", "_below", "_first", "_slot", "_tickets")

    def __init__(self, tickets: Ints, at: Floats) -> None:
        """`tickets` are positions in the order of `at`, their figures, which never fall."""
        n = len(tickets)
        self._tickets: list[int] = tickets.tolist()
        self._at: list[float] = at.tolist()
        self._slot = {ticket: slot for slot, ticket in enumerate(self._tickets)}
        self._above = [*range(1, n), _END]
        self._below = list(range(-1, n - 1))
        self._first = 0 if n else _END

    def __contains__(self, ticket: int) -> bool:
        return ticket in self._slot

    def remove(self, ticket: int) -> None:
        """Let a ticket that stands here leave."""
        slot = self._slot.pop(ticket)
        below, above = self._below[slot], self._above[slot]
        if below == _END:
            self._first = above
        else:
            self._above[below] = above
        if above != _END:
            self._below[above] = below

    def others(self, ticket: int) -> Iterator[int]:
        """Everybody else, from the first of the list on. Nobody may leave before the end."""
        slot = self._first
        while slot != _END:
            if self._tickets[slot] != ticket:
                yield self._tickets[slot]
            slot = self._above[slot]

    def around(self, ticket: int) -> Iterator[tuple[float, int]]:
        """Everybody else, nearest first, each behind the distance. Nobody may leave before the end.

        Of two equally near the lower one comes first.
        """
        at, own = self._at, self._at[self._slot[ticket]]
        below, above = self._below[self._slot[ticket]], self._above[self._slot[ticket]]
        while below != _END or above != _END:
            down = own - at[below] if below != _END else float("inf")
            up = at[above] - own if above != _END else float("inf")
            if down <= up:
                yield down, self._tickets[below]
                below = self._below[below]
            else:
                yield up, self._tickets[above]
                above = self._above[above]


class MatchFiller:
    """Finds those who fill a match with a ticket."""

    def __init__(self, tickets: Tickets, plan: Plan, held: HeldConditions) -> None:
        self._held, self._is_duel = held, plan.is_duel
        self._packing = TeamPacking(plan.team_count, plan.team_size)
        self._divider = Divider(tickets, plan)
        self._sizes = tickets.members.sizes.tolist()
        nothing = np.zeros(len(tickets), dtype=np.int64)
        # Maps that a ticket would not play, as bits.
        self._vetoed = np.asarray(tickets.traits.get("maps_vetoed", nothing)).tolist()
        self._maps = (1 << len(plan.settings.game_maps)) - 1

    def around(self, seeker: int, others: Iterable[int]) -> list[int] | None:
        """The seeker and the first of `others` who fill a match together; None if they do not.

        Of teams: going through `others` in their order and taking everyone who still finds room in
        a team, and whom all taken so far accept; none but the first 192 are looked at.
        """
        if self._is_duel:
            partner = self._held.first_agreed(seeker, others)
            return None if partner is None else [seeker, partner]
        if self._sizes[seeker] > self._packing.size:
            return None
        waiting, window = iter(others), [seeker]
        for most in _WINDOWS:
            more = list(islice(waiting, most + 1 - len(window)))
            if not more:
                return None
            window += more
            if (group := self._fill(window)) is not None:
                return group
        return None

    def _fill(self, window: Sequence[int]) -> list[int] | None:
        """The first of the window and those after it who still find room, until the match is full."""
        packing, sizes, missing_of = self._packing, self._sizes, self._divider.missing
        agreed, chosen = self._held.all_agree(window), [0]
        state, vetoed = packing.join(0, sizes[window[0]]), self._vetoed[window[0]]
        missing = missing_of.get(window[0], 0)
        for index, ticket in enumerate(window[1:], start=1):
            if sizes[ticket] > packing.size:
                continue
            if self._maps and not self._maps & ~(vetoed | self._vetoed[ticket]):
                continue
            lacking = missing + missing_of.get(ticket, 0)
            if not self._divider.roles.allows_match(lacking):
                continue
            joined = packing.join(state, sizes[ticket])
            if joined == REFUSED or not agreed[index, chosen].all():
                continue
            state, vetoed, missing = joined, vetoed | self._vetoed[ticket], lacking
            chosen.append(index)
            if packing.taken[state] == packing.capacity:
                group = [window[one] for one in chosen]
                return group if self._divider.divide([group])[0] is not None else None
        return None


def take_turns(
    tickets: Tickets,
    plan: Plan,
    held: HeldConditions,
    waiting: TicketList,
    others: Callable[[int], Iterable[int]],
) -> list[list[int]]:
    """Groups of those in `waiting`, who leave it with their group.

    others  everybody else in the list, in the order in which a ticket would have them
    """
    filler, groups = MatchFiller(tickets, plan, held), []
    for seeker in tickets.by_age().tolist():
        if seeker in waiting:
            group = filler.around(seeker, others(seeker))
            if group is not None:
                groups.append(group)
                for ticket in group:
                    waiting.remove(ticket)
    return groups


def assemble(tickets: Tickets, plan: Plan, groups: list[list[int]]) -> ProposedMatches:
    """The matches of these groups, each of as many players as a match has; whoever waited longest first."""
    if not plan.is_duel:
        return arrange(tickets, plan, groups)
    pairs = np.array(groups, dtype=np.int64).reshape(-1, 2)
    found = Pairs.of(tickets, pairs, np.argsort(tickets.by_age()))
    cost = costs_of(tickets, conditions_of(plan), found.first, found.second)
    return pairs_as_matches(found, cost)


def find_in_order(tickets: Tickets, plan: Plan) -> ProposedMatches:
    """Everyone with the next to arrive, whoever it is; teams are filled in the order of arrival.

    The shortest waits, and the baseline that others are compared with. Nobody meets somebody they
    avoid. One against one, those who wait on found nobody among all that were left.
    """
    by_age = tickets.by_age()
    waiting = TicketList(by_age, np.arange(len(by_age), dtype=np.float64))
    held = HeldConditions(tickets, always_held(plan))
    return assemble(tickets, plan, take_turns(tickets, plan, held, waiting, waiting.others))


def mix_evenly(tickets: Tickets, plan: Plan) -> ProposedMatches:
    """Everyone with strangers whose lots are near, then with anybody; never by rating.

    Ratings of newcomers say little, and players who meet only their likes never learn how they compare
    with the rest: a pool in islands. So a new pool is mixed before it is matched fairly. The lots
    follow from the numbers of the tickets alone. Nobody meets somebody they avoid.
    """
    lots = draw_lots(tickets.id)
    order = np.lexsort((tickets.id, lots))
    waiting, always = TicketList(order, lots[order]), always_held(plan)

    def near(seeker: int) -> Iterator[int]:
        return (other for _, other in waiting.around(seeker))

    strangers = HeldConditions(tickets, (*always, Rematch()))
    anybody = HeldConditions(tickets, always)
    groups = take_turns(tickets, plan, strangers, waiting, near)
    groups += take_turns(tickets, plan, anybody, waiting, near)
    return assemble(tickets, plan, groups)
