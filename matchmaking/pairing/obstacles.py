"""Why a ticket is not matched: whom each condition keeps from it, and how long until somebody fits.

Asked with the arrays and the conditions of a sweep, and of a sweep itself: what is said here, the next one does.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from matchmaking.pairing.condition import Condition, Use
from matchmaking.pairing.conditions import RatingGap
from matchmaking.pairing.conditions.tied import RematchSection
from matchmaking.pairing.plan import Plan
from matchmaking.pairing.strategies.buckets import enter_levels
from matchmaking.pairing.strategies.choose import find_matches
from matchmaking.pairing.strategies.greedy import held_conditions
from matchmaking.pairing.teams.capacity import packs
from matchmaking.pairing.teams.division import Divider
from matchmaking.pairing.tickets import Tickets, Ties
from ratings.systems.arrays import Bools, Floats, Ints

__all__ = ["HORIZON", "Findings", "Fit", "Obstacle", "later", "look_for_obstacles"]

# Seconds from now that are looked ahead.
HORIZON = 3600
# Besides the moment at which somebody fits: so many seconds from now.
_LATER = (30, 60, 120, 300, 900)


@dataclass(frozen=True, slots=True, eq=False)
class Obstacle:
    """What one condition does to the pairs of a ticket with the others.

    name       `Condition.record_name`, or of what strategies ask besides: "bucket", "spread", "size", "roles"
    condition  None of the latter
    distance   float64, of each other ticket the larger of both directions; nan where that says nothing
    by_ticket  bool, of each: the ticket refuses it
    by_other   bool, of each: it refuses the ticket
    accepted   what the ticket accepts by now, in the condition's unit; inf: anything
    """

    name: str
    condition: Condition | None
    distance: Floats
    by_ticket: Bools
    by_other: Bools
    accepted: float

    @property
    def refused(self) -> Bools:
        """Of each other ticket whether the two may not meet."""
        return self.by_ticket | self.by_other


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """Who passes every condition both ways, in so many seconds.

    others    positions, int64
    players   how many are on them
    gap       rating points that the ticket accepts by then; inf: any, and where ratings are not asked
    is_enough whether so many players fill a match with those of the ticket
    """

    seconds: int
    others: Ints
    players: int
    gap: float
    is_enough: bool


@dataclass(frozen=True, slots=True, eq=False)
class Findings:
    """What keeps a ticket waiting.

    others     positions of the others that wait, int64
    players    how many are on them
    needed     players that a match takes besides those of the ticket; below 0 where these are too many
    is_unfit   whether the ticket could be in no team at all: too large a party, or too many of one role
    obstacles  conditions in the order in which they are asked, each as if it were alone
    fits       now, and later if nobody comes or goes: first when enough fit, where that is within `HORIZON`
    first      that moment; None: not within `HORIZON`
    match      positions of all tickets of the match that a sweep would make of the ticket now; empty: none
    """

    others: Ints
    players: int
    needed: int
    is_unfit: bool
    obstacles: list[Obstacle]
    fits: list[Fit]
    first: Fit | None
    match: Ints

    @property
    def now(self) -> Fit:
        """Who fits by now."""
        return self.fits[0]


def look_for_obstacles(tickets: Tickets, plan: Plan, position: int) -> Findings:
    """Say why the ticket at `position` waits. Costs as much as a sweep and some passes over the others."""
    others = np.delete(np.arange(len(tickets)), position)
    size, capacity = int(tickets.members.sizes[position]), plan.team_count * plan.team_size
    divider = Divider(tickets, plan)
    alone = divider.roles.allows_team(divider.missing.get(position, 0))

    def fit_in(seconds: int) -> Fit:
        then = later(tickets, plan, seconds)
        passed = ~_refused(_obstacles(then, plan, position, others, divider), len(others))
        players = int(tickets.members.sizes[others[passed]].sum())
        gap = _accepted_gap(then, plan, position)
        is_enough = players > 0 and players + size >= capacity
        return Fit(seconds, others[passed], players, gap, is_enough)

    first = _first(fit_in)
    moments = sorted({0, *_LATER, *([first.seconds] if first else [])})
    found = find_matches(tickets, plan)
    own = found.match[found.ticket == position]
    return Findings(
        others=others,
        players=int(tickets.members.sizes[others].sum()),
        needed=capacity - size,
        is_unfit=size > plan.team_size or not alone,
        obstacles=list(_obstacles(tickets, plan, position, others, divider)),
        fits=[fit_in(seconds) for seconds in moments],
        first=first,
        match=found.ticket[np.isin(found.match, own)],
    )


def _first(fit_in: Callable[[int], Fit]) -> Fit | None:
    """The first second in which enough fit; waiting only ever widens what tickets accept."""
    if (now := fit_in(0)).is_enough:
        return now
    found = fit_in(HORIZON)
    if not found.is_enough:
        return None
    low, high = 0, HORIZON
    while high - low > 1:
        middle = (low + high) // 2
        if (at := fit_in(middle)).is_enough:
            high, found = middle, at
        else:
            low = middle
    return found


def later(tickets: Tickets, plan: Plan, seconds: int) -> Tickets:
    """The same tickets after so many seconds more, if nobody comes or goes: matches they have had fade."""
    if not seconds:
        return tickets
    ties = dict(tickets.ties)
    minutes = plan.settings.section(RematchSection).minutes
    if "met" in ties and minutes:
        met = ties["met"]
        left = np.maximum(met.value - seconds / 60 / minutes, 0.0)
        ties["met"] = Ties(one=met.one, other=met.other, value=left)
    return replace(tickets, waited=tickets.waited + seconds, ties=ties)


def _refused(obstacles: Iterator[Obstacle], number: int) -> Bools:
    refused = np.zeros(number, dtype=np.bool_)
    for obstacle in obstacles:
        refused |= obstacle.refused
    return refused


def _obstacles(
    tickets: Tickets, plan: Plan, position: int, others: Ints, divider: Divider
) -> Iterator[Obstacle]:
    """What the strategy asks of two tickets, one after the other."""
    if not plan.is_duel:
        yield _of_sizes(tickets, plan, position, others)
        if divider.roles.is_needed:
            yield _of_roles(position, others, divider)
    if plan.settings.strategy == "buckets" and not plan.mixes:
        yield _mutual("bucket", ~_shares_bucket(tickets, plan, position)[others])
    own = np.full(len(others), position)
    for condition in held_conditions(plan):
        yield _of_condition(condition, tickets, own, others)
    if not plan.is_duel and plan.settings.strategy == "filters" and not plan.mixes:
        yield _of_spread(tickets, plan, position, others)


def _of_condition(condition: Condition, tickets: Tickets, own: Ints, others: Ints) -> Obstacle:
    accepted = condition.tolerances(tickets)
    mine = float(accepted[own[0]]) if len(own) else np.inf
    if condition.is_idle(tickets) or not len(others):
        nothing = np.zeros(len(others), dtype=np.bool_)
        distance = np.zeros(len(others))
        return Obstacle(condition.record_name(), condition, distance, nothing, nothing, mine)
    bound = condition.bound(tickets)
    there = bound.distance(tickets, own, others)
    back = there if condition.is_mutual else bound.distance(tickets, others, own)
    return Obstacle(
        name=condition.record_name(),
        condition=condition,
        distance=np.maximum(there, back),
        by_ticket=~(there <= mine),
        by_other=~(back <= accepted[others]),
        accepted=mine if condition.use is not Use.PREFER else np.inf,
    )


def _of_spread(tickets: Tickets, plan: Plan, position: int, others: Ints) -> Obstacle:
    """How far apart the strongest and the weakest of a match may be."""
    teams = plan.settings.teams
    spread = teams.spread_start + teams.spread_per_second * tickets.waited
    apart = np.abs(tickets.rating[others] - tickets.rating[position])
    mine = float(spread[position])
    return Obstacle("spread", None, apart, apart > mine, apart > spread[others], mine)


def _of_sizes(tickets: Tickets, plan: Plan, position: int, others: Ints) -> Obstacle:
    """Whether two parties find room in the teams of one match."""
    sizes = tickets.members.sizes
    own = int(sizes[position])
    fits = {
        other: packs(tuple(sorted((own, other), reverse=True)), plan.team_count, plan.team_size)
        for other in np.unique(sizes[others]).tolist()
    }
    is_in_vain = np.array([not fits[other] for other in sizes[others].tolist()], dtype=np.bool_)
    return _mutual("size", is_in_vain)


def _of_roles(position: int, others: Ints, divider: Divider) -> Obstacle:
    """Whether the roles of two leave enough for those that nobody of them takes."""
    roles, missing = divider.roles, divider.missing
    own = missing[position]
    is_in_vain = np.array(
        [
            not roles.allows_team(missing[other]) or not roles.allows_match(own + missing[other])
            for other in others.tolist()
        ],
        dtype=np.bool_,
    )
    return _mutual("roles", is_in_vain | (not roles.allows_team(own)))


def _mutual(name: str, is_in_vain: Bools) -> Obstacle:
    return Obstacle(name, None, np.full(len(is_in_vain), np.nan), is_in_vain, is_in_vain, np.inf)


def _shares_bucket(tickets: Tickets, plan: Plan, position: int) -> Bools:
    """Who is in a bucket with the ticket, at whatever level both have entered."""
    shares = np.zeros(len(tickets), dtype=np.bool_)
    for entered in enter_levels(tickets, plan):
        own = entered.bucket[entered.ticket == position]
        shares[entered.ticket[np.isin(entered.bucket, own)]] = True
    return shares


def _accepted_gap(tickets: Tickets, plan: Plan, position: int) -> float:
    """Rating points that the ticket accepts, where its strategy asks for them."""
    gaps = [
        float(one.tolerances(tickets)[position])
        for one in held_conditions(plan)
        if isinstance(one, RatingGap)
    ]
    if not plan.is_duel and plan.settings.strategy == "filters" and not plan.mixes:
        teams = plan.settings.teams
        gaps.append(teams.spread_start + teams.spread_per_second * float(tickets.waited[position]))
    return min(gaps, default=np.inf)
