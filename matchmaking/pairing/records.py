"""Why each match was made: what is kept beside it for whoever asks later."""

import math
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from matchmaking.pairing.conditions import RatingGap
from matchmaking.pairing.maps_and_sides.maps import rounds_of_choice, votes_on_maps
from matchmaking.pairing.maps_and_sides.sides import is_decided, team_means, worth_of_sides
from matchmaking.pairing.matches import ProposedMatches, row_pairs
from matchmaking.pairing.plan import Plan
from matchmaking.pairing.strategies.buckets import shared_levels
from matchmaking.pairing.strategies.greedy import held_conditions
from matchmaking.pairing.teams.splits import imparity, splits_of
from matchmaking.pairing.tickets import Tickets

__all__ = ["map_and_side_records", "records", "team_records"]

_DECIMALS = 4

Record = dict[str, Any]


def records(tickets: Tickets, plan: Plan, matches: ProposedMatches) -> list[Record]:
    """Of each match why it was made, ready for JSON. Every figure is as of then.

    strategy    "filters", "buckets", "fcfs", or "bootstrap" while a new pool is mixed
    level       of buckets, the first that all shared, counted from 1
    waited      seconds, of each ticket, in the order of the match's rows
    gap         rating points between the strongest and the weakest team
    cost        seconds: what its tickets disliked in each other
    chance      score expected of the first team; None where nobody can say
    conditions  see `condition_records`
    map, side   see `map_and_side_records`;   spread, teams, split, roles   see `team_records`
    """
    if not len(matches):
        return []
    waited, bounds = _numbers(tickets.waited[matches.ticket]), pairwise(matches.starts.tolist())
    columns = (_numbers(column) for column in (matches.gap, matches.cost, matches.chance))
    found: list[Record] = [
        {
            "strategy": "bootstrap" if plan.mixes else plan.settings.strategy,
            "waited": waited[low:high],
            "gap": gap,
            "cost": cost,
            "chance": chance,
        }
        for (low, high), gap, cost, chance in zip(bounds, *columns, strict=True)
    ]
    for record, conditions in zip(found, condition_records(tickets, plan, matches), strict=True):
        record["conditions"] = conditions
    parts = [map_and_side_records(tickets, plan, matches)]
    if not plan.is_duel:
        parts.append(team_records(tickets, plan, matches))
    if plan.settings.strategy == "buckets" and not plan.mixes:
        levels = shared_levels(tickets, plan, matches).tolist()
        parts.append([{"level": level} for level in levels])
    for part in parts:
        for record, further in zip(found, part, strict=True):
            record.update(further)
    return found


def condition_records(tickets: Tickets, plan: Plan, matches: ProposedMatches) -> list[list[Record]]:
    """Of each match the conditions that were asked, ready for JSON.

    name, use  see `Condition.record_name`; "must", "prefer" or "drop"
    distance   the largest between any two
    accepted   the least that any of them did; None: anything
    cost       seconds, of all together
    """
    asked = held_conditions(plan)
    if not plan.is_duel:  # teams are put together by their spread instead of the rating
        asked = tuple(one for one in asked if not isinstance(one, RatingGap))
    found: list[list[Record]] = [[] for _ in range(len(matches))]
    row, other_row = row_pairs(matches.match)
    match, one, other = matches.match[row], matches.ticket[row], matches.ticket[other_row]
    for condition in asked:
        if condition.is_idle(tickets):
            continue
        bound, distance = condition.bound(tickets), np.zeros(len(matches))
        for ends in ((one, other), (other, one)):
            np.maximum.at(distance, match, bound.distance(tickets, *ends))
        accepted = bound.tolerances(tickets)[matches.ticket]
        least = np.minimum.reduceat(accepted, matches.starts[:-1])
        cost = np.bincount(match, bound.cost(tickets, one, other), minlength=len(matches))
        words = {"name": condition.record_name(), "use": str(condition.use)}
        columns = (_numbers(column) for column in (distance, least, cost))
        for record, far, tolerated, paid in zip(found, *columns, strict=True):
            record.append({**words, "distance": far, "accepted": tolerated, "cost": paid})
    return found


def map_and_side_records(tickets: Tickets, plan: Plan, matches: ProposedMatches) -> list[Record]:
    """Of each match, ready for JSON: its `map`, where the queue has any, and of two teams its `side`.

    map   name; why: "only" (vetoes left no other), "even" (others would have been less even), "liked"
          or "lot"; likes: players who like it; uneven: rating points between the teams there
    side  points the first team's is worth to each of its players; why: "weaker first", "weaker last"
          or "lot"
    """
    if not len(matches):
        return []
    found: list[Record] = [{} for _ in range(len(matches))]
    if plan.settings.game_maps:
        votes, row = votes_on_maps(matches, tickets, plan), np.arange(len(matches))
        fewest, even, liked = (chosen.sum(axis=1) for chosen in rounds_of_choice(votes, plan))
        whys = np.select(
            [fewest == 1, liked < even, even < fewest], ["only", "liked", "even"], default="lot"
        )
        likes, uneven = votes.likes[row, matches.map], votes.uneven[row, matches.map]
        columns = (column.tolist() for column in (whys, matches.map, likes, uneven))
        for record, why, chosen, liking, points in zip(found, *columns, strict=True):
            name = plan.settings.game_maps[chosen].name
            record["map"] = {"name": name, "why": why, "likes": liking, "uneven": round(points, 2)}
    if plan.team_count == 2:
        worth = worth_of_sides(plan, matches.map)
        means = team_means(tickets, matches, matches.map)
        decided = is_decided(plan, worth, means[:, 0] - means[:, 1])
        whys = np.select(
            [decided & (worth > 0), decided], ["weaker first", "weaker last"], default="lot"
        )
        for record, points, why in zip(found, worth.tolist(), whys.tolist(), strict=True):
            record["side"] = {"points": round(points, 2), "why": why}
    return found


def team_records(tickets: Tickets, plan: Plan, matches: ProposedMatches) -> list[Record]:
    """Of each match, ready for JSON; rating points but for numbers.

    spread    between the strongest and the weakest ticket; accepted: the least that one of them
              accepts by now, where the strategy asks
    teams     in their order: rating, the mean; parties, players of each ticket, the largest first
    split     way: "best" (of all that there are), "exchanges" (the rule, then exchanges) or "rule";
              tried: how many splits were looked at; difference of the means of strongest and weakest;
              imparity: 0..1, how unlike the parties of the teams are
    roles     how many of each a team has, where the queue asks for them
    """
    if not len(matches):
        return []
    settings, count, size = plan.settings, plan.team_count, plan.team_size
    starts, waited = matches.starts, tickets.waited[matches.ticket]
    ratings, sizes = tickets.rating[matches.ticket], tickets.members.sizes[matches.ticket]
    spread = np.maximum.reduceat(ratings, starts[:-1]) - np.minimum.reduceat(ratings, starts[:-1])
    accepted = settings.teams.spread_start + settings.teams.spread_per_second * waited
    least = np.minimum.reduceat(accepted, starts[:-1])
    asks = settings.strategy == "filters" and not plan.mixes
    found: list[Record] = []
    for number, (low, high) in enumerate(pairwise(starts.tolist())):
        means, parties = [0.0] * count, [list[int]() for _ in range(count)]
        columns = (column[low:high].tolist() for column in (matches.team, sizes, ratings))
        for team, players, rating in zip(*columns, strict=True):
            means[team] += rating * players / size
            parties[team].append(players)
        for own in parties:
            own.sort(reverse=True)
        every = [party for own in parties for party in own]
        teams = [team for team, own in enumerate(parties) for _ in own]
        unlike = imparity(np.array(every), np.array([teams]), count, size)
        way, tried = "rule", 1
        if settings.teams.split == "best":
            splits = splits_of(tuple(sorted(every, reverse=True)), count, size)
            way, tried = ("exchanges", 1) if splits is None else ("best", len(splits))
        points: Record = {"points": round(float(spread[number]), 2)}
        record: Record = {
            "spread": points | ({"accepted": round(float(least[number]), 2)} if asks else {}),
            "teams": [
                {"rating": round(mean, 2), "parties": own}
                for mean, own in zip(means, parties, strict=True)
            ],
            "split": {
                "way": way,
                "tried": tried,
                "imparity": round(float(unlike[0]), 2),
                "difference": round(float(matches.gap[number]), 2),
            },
        }
        found.append(record | ({"roles": settings.roles} if settings.roles else {}))
    return found


def _numbers(column: NDArray[Any]) -> list[float | None]:
    """Rounded; None for what JSON cannot say: nan, and without end."""
    return [round(value, _DECIMALS) if math.isfinite(value) else None for value in column.tolist()]
