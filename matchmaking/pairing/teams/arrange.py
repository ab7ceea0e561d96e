"""From groups of tickets to matches of teams."""

from collections.abc import Sequence

import numpy as np

from matchmaking.pairing.conditions.build import conditions_of, costs_of
from matchmaking.pairing.model.plan import Plan
from matchmaking.pairing.model.proposed import Meetings, rows_in_twos
from matchmaking.pairing.teams.split import Divider, Division, team_points
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Bools, Floats, Ints

__all__ = ["arrange"]


def arrange(
    tickets: Tickets,
    plan: Plan,
    groups: Sequence[Sequence[int]],
    divider: Divider | None = None,
) -> Meetings:
    """Meetings of groups of positions, each of as many players as a match has, split into teams.

    The match of whoever has waited longest comes first. A group that cannot be split, as parties or
    roles do not fit into teams, waits on. No map is chosen and no chance known yet.
    """
    divider = Divider(tickets, plan) if divider is None else divider
    rank = np.empty(len(tickets), dtype=np.int64)
    by_age = tickets.by_age()
    rank[by_age] = np.arange(len(tickets))
    divisions = [division for division in divider.divide(groups) if division is not None]
    ranks = rank.tolist()
    divisions.sort(key=lambda division: min(ranks[ticket] for ticket in division.tickets))
    meeting, ticket, team = _rows(divisions, ranks)
    m = len(divisions)
    return Meetings(
        meeting=meeting,
        ticket=ticket,
        team=team,
        gap=_gaps(tickets, plan, meeting, ticket, team, m),
        cost=_costs(tickets, plan, meeting, ticket, m),
        chance=np.full(m, np.nan),
        map=np.full(m, -1, dtype=np.int64),
        left=by_age[_is_left(len(tickets), ticket)[by_age]],
    )


def _rows(divisions: Sequence[Division], ranks: Sequence[int]) -> tuple[Ints, Ints, Ints]:
    """Match, ticket and team of every row: teams in their order, in each the oldest first."""
    rows = [
        (number, team, ranks[ticket], ticket)
        for number, division in enumerate(divisions)
        for ticket, team in zip(division.tickets, division.team, strict=True)
    ]
    table = np.array(sorted(rows), dtype=np.int64).reshape(-1, 4)
    return table[:, 0].copy(), table[:, 3].copy(), table[:, 1].copy()


def _gaps(tickets: Tickets, plan: Plan, meeting: Ints, ticket: Ints, team: Ints, m: int) -> Floats:
    """Rating points between the means of the strongest and the weakest team."""
    count = plan.team_count
    points = team_points(tickets)[ticket]
    totals = np.bincount(meeting * count + team, weights=points, minlength=m * count)
    gap: Floats = np.ptp(totals.reshape(m, count), axis=1) / plan.team_size
    return gap


def _costs(tickets: Tickets, plan: Plan, meeting: Ints, ticket: Ints, m: int) -> Floats:
    """Seconds: what any two tickets of a match dislike in each other, summed."""
    one, other = rows_in_twos(meeting)
    cost = costs_of(tickets, conditions_of(plan), ticket[one], ticket[other])
    return np.bincount(meeting[one], weights=cost, minlength=m).astype(np.float64)


def _is_left(n: int, ticket: Ints) -> Bools:
    left = np.ones(n, dtype=np.bool_)
    left[ticket] = False
    return left
