"""Why a match of teams is as it is: for its record."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from matchmaking.pairing.model.plan import Plan
from matchmaking.pairing.model.proposed import Meetings
from matchmaking.pairing.teams.all_splits import imparity, splits_of
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Floats, Ints

__all__ = ["team_records"]


def team_records(tickets: Tickets, plan: Plan, meetings: Meetings) -> list[dict[str, object]]:
    """Of each match, ready for JSON; rating points but for numbers.

    spread    between the strongest and the weakest ticket; accepted: the least that one of them
              accepts by now, where the strategy asks
    teams     in their order: rating, the mean; parties, players of each ticket, the largest first
    split     way: "best" (of all that there are), "exchanges" (the rule, then exchanges) or "rule";
              tried: how many splits were looked at; difference of the means of strongest and weakest;
              imparity: 0..1, how unlike the parties of the teams are
    roles     how many of each a team has, where the queue asks for them
    """
    rows = [*_teams(tickets, plan, meetings)]
    records: list[dict[str, object]] = []
    for spread, teams, gap in zip(
        _spreads(tickets, plan, meetings), rows, meetings.gap.tolist(), strict=True
    ):
        parties = [party for team in teams for party in team[1]]
        numbers = [number for number, team in enumerate(teams) for _ in team[1]]
        split = _split(plan, parties, numbers)
        records.append(
            {
                "spread": spread,
                "teams": [{"rating": round(mean, 2), "parties": own} for mean, own in teams],
                "split": {**split, "difference": round(gap, 2)},
                **({"roles": plan.settings.roles} if plan.settings.roles else {}),
            }
        )
    return records


def _teams(
    tickets: Tickets, plan: Plan, meetings: Meetings
) -> Iterator[list[tuple[float, list[int]]]]:
    """Of each match, of each team: the mean rating, and the sizes of its parties."""
    sizes, ratings = tickets.seats.sizes[meetings.ticket], tickets.rating[meetings.ticket]
    starts = meetings.starts.tolist()
    columns = meetings.team.tolist(), sizes.tolist(), ratings.tolist()
    for low, high in pairwise(starts):
        teams: list[tuple[float, list[int]]] = [(0.0, []) for _ in range(plan.team_count)]
        for team, size, rating in zip(*(column[low:high] for column in columns), strict=True):
            mean, parties = teams[team]
            teams[team] = (mean + rating * size / plan.team_size, sorted([*parties, size])[::-1])
        yield teams


def _spreads(tickets: Tickets, plan: Plan, meetings: Meetings) -> Iterator[dict[str, float]]:
    if not len(meetings):
        return
    starts, ratings = meetings.starts[:-1], tickets.rating[meetings.ticket]
    spread = np.maximum.reduceat(ratings, starts) - np.minimum.reduceat(ratings, starts)
    accepted = _least_accepted(tickets, plan, meetings.ticket, starts)
    asks = plan.settings.strategy == "filters" and not plan.mixes
    for points, least in zip(spread.tolist(), accepted.tolist(), strict=True):
        yield {"points": round(points, 2), **({"accepted": round(least, 2)} if asks else {})}


def _least_accepted(tickets: Tickets, plan: Plan, ticket: Ints, starts: Ints) -> Floats:
    teams = plan.settings.teams
    accepted = teams.spread_start + teams.spread_per_second * tickets.waited[ticket]
    least: Floats = np.minimum.reduceat(accepted, starts)
    return least


def _split(plan: Plan, parties: list[int], numbers: list[int]) -> dict[str, object]:
    """How the teams were found, and how unlike their parties are."""
    count, size = plan.team_count, plan.team_size
    unlike = imparity(np.array(parties), np.array([numbers]), count, size)
    way, tried = "rule", 1
    if plan.settings.teams.split == "best":
        splits = splits_of(tuple(sorted(parties, reverse=True)), count, size)
        way, tried = ("exchanges", 1) if splits is None else ("best", len(splits))
    return {"way": way, "tried": tried, "imparity": round(float(unlike[0]), 2)}
