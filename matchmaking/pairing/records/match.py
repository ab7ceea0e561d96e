"""Why each match was made: what is kept beside it for whoever asks later."""

import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from matchmaking.pairing.condition import Condition
from matchmaking.pairing.conditions import RatingGap
from matchmaking.pairing.conditions.build import conditions_of
from matchmaking.pairing.model.plan import Plan
from matchmaking.pairing.model.proposed import Meetings, rows_in_twos
from matchmaking.pairing.records.map_and_side import ground_records
from matchmaking.pairing.records.teams import team_records
from matchmaking.pairing.strategies.buckets import shared_levels
from matchmaking.pairing.strategies.held_conditions import always_held
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Floats, Ints

__all__ = ["records"]

_PLACES = 4


def records(tickets: Tickets, plan: Plan, meetings: Meetings) -> list[dict[str, Any]]:
    """Of each match why it was made, ready for JSON. Every figure is as of then.

    strategy    "filters", "buckets", "fcfs", or "bootstrap" while a new pool is mixed
    level       of buckets, the first that all shared, counted from 1
    waited      seconds, of each ticket, in the order of the match's rows
    gap         rating points between the strongest and the weakest team
    cost        seconds: what its tickets disliked in each other
    chance      score expected of the first team; None where nobody can say
    conditions  those that were asked: name, use, distance (the largest between any two), accepted
                (the least that any of them did; None: anything), cost (seconds, of all together)
    map, side   see `ground_records`;   spread, teams, split, roles   see `team_records`
    """
    if not len(meetings):
        return []
    parts = [_figures(tickets, plan, meetings), ground_records(tickets, plan, meetings)]
    if not plan.is_duel:
        parts.append(team_records(tickets, plan, meetings))
    if plan.settings.strategy == "buckets" and not plan.mixes:
        levels = shared_levels(tickets, plan, meetings).tolist()
        parts.append([{"level": level} for level in levels])
    found: list[dict[str, Any]] = [{} for _ in range(len(meetings))]
    for part in parts:
        for record, further in zip(found, part, strict=True):
            record.update(further)
    return found


def _figures(tickets: Tickets, plan: Plan, meetings: Meetings) -> list[dict[str, Any]]:
    strategy = "bootstrap" if plan.mixes else plan.settings.strategy
    waited = np.split(tickets.waited[meetings.ticket], meetings.starts[1:-1])
    columns = (
        [[_number(seconds) for seconds in own] for own in waited],
        map(_number, meetings.gap),
        map(_number, meetings.cost),
        map(_number, meetings.chance),
        _conditions(tickets, plan, meetings),
    )
    names = ("waited", "gap", "cost", "chance", "conditions")
    return [
        {"strategy": strategy, **dict(zip(names, row, strict=True))}
        for row in zip(*columns, strict=True)
    ]


def _conditions(tickets: Tickets, plan: Plan, meetings: Meetings) -> list[list[dict[str, Any]]]:
    """Of each match what was asked and how far it was."""
    found: list[list[dict[str, Any]]] = [[] for _ in range(len(meetings))]
    pairs = _pairs(meetings)
    for condition in _asked(plan):
        if condition.is_idle(tickets):
            continue
        words = {"name": _name(condition), "use": str(condition.use)}
        figures = _asked_of(condition.bound(tickets), tickets, meetings, *pairs)
        for record, row in zip(found, zip(*figures, strict=True), strict=True):
            distance, accepted, cost = map(_number, row)
            record.append({**words, "distance": distance, "accepted": accepted, "cost": cost})
    return found


def _asked(plan: Plan) -> Sequence[Condition]:
    """The conditions that the strategy holds to; teams are put together by their spread instead."""
    inside = plan.settings.strategy == "buckets" and plan.settings.buckets.filters_inside
    if plan.mixes or not (plan.settings.strategy == "filters" or inside):
        return always_held(plan)
    every = conditions_of(plan)
    return every if plan.is_duel else [one for one in every if not isinstance(one, RatingGap)]


def _pairs(meetings: Meetings) -> tuple[Ints, Ints, Ints]:
    """Of every two tickets of a match: its number, the one and the other."""
    one, other = rows_in_twos(meetings.meeting)
    return meetings.meeting[one], meetings.ticket[one], meetings.ticket[other]


def _asked_of(
    condition: Condition, tickets: Tickets, meetings: Meetings, pair: Ints, one: Ints, other: Ints
) -> tuple[Floats, Floats, Floats]:
    """Of each match the largest distance, the least that was accepted, and the cost."""
    distance = np.zeros(len(meetings))
    for ends in ((one, other), (other, one)):
        np.maximum.at(distance, pair, condition.distance(tickets, *ends))
    accepted = condition.tolerances(tickets)[meetings.ticket]
    least: Floats = np.minimum.reduceat(accepted, meetings.starts[:-1])
    cost = np.bincount(pair, condition.cost(tickets, one, other), minlength=len(meetings))
    return distance, least, cost.astype(np.float64)


def _name(condition: Condition) -> str:
    """`rating_gap` of RatingGap; a game's own by their class, too."""
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z][^A-Z]*|^[^A-Z]+", type(condition).__name__)
    return "_".join(word.strip("_").lower() for word in words)


def _number(value: float) -> float | None:
    """Rounded; None for what JSON cannot say: nan, and without end."""
    return round(float(value), _PLACES) if math.isfinite(value) else None
