"""Why a match is played where it is, and who plays which side: for its record."""

from collections.abc import Iterator

import numpy as np

from matchmaking.pairing.maps_and_sides.maps import rounds_of_choice, votes_on_maps
from matchmaking.pairing.maps_and_sides.predictions import team_means, worth_of_sides
from matchmaking.pairing.maps_and_sides.sides import is_decided
from matchmaking.pairing.model.plan import Plan
from matchmaking.pairing.model.proposed import Meetings
from matchmaking.pairing.tickets import Tickets

__all__ = ["ground_records"]


def ground_records(
    tickets: Tickets, plan: Plan, meetings: Meetings
) -> list[dict[str, dict[str, object]]]:
    """Of each match, ready for JSON: its `map`, where the queue has any, and of two teams its `side`.

    map   name; why: "only" (vetoes left no other), "even" (others would have been less even), "liked"
          or "lot"; likes: players who like it; uneven: rating points between the teams there
    side  points the first team's is worth to each of its players; why: "weaker first", "weaker last"
          or "lot"
    """
    if not len(meetings):
        return []
    records: list[dict[str, dict[str, object]]] = [{} for _ in range(len(meetings))]
    if plan.settings.game_maps:
        for record, of_map in zip(records, _maps(tickets, plan, meetings), strict=True):
            record["map"] = of_map
    if plan.team_count == 2:
        for record, of_side in zip(records, _sides(tickets, plan, meetings), strict=True):
            record["side"] = of_side
    return records


def _maps(tickets: Tickets, plan: Plan, meetings: Meetings) -> Iterator[dict[str, object]]:
    votes = votes_on_maps(meetings, tickets, plan)
    fewest, even, liked = (chosen.sum(axis=1) for chosen in rounds_of_choice(votes, plan))
    reasons = np.select(
        [fewest == 1, liked < even, even < fewest], ["only", "liked", "even"], default="lot"
    )
    row = np.arange(len(meetings))
    columns = (
        reasons,
        meetings.map,
        votes.likes[row, meetings.map],
        votes.uneven[row, meetings.map],
    )
    for why, chosen, likes, uneven in zip(*(column.tolist() for column in columns), strict=True):
        name = plan.settings.game_maps[chosen].name
        yield {"name": name, "why": why, "likes": likes, "uneven": round(uneven, 2)}


def _sides(tickets: Tickets, plan: Plan, meetings: Meetings) -> Iterator[dict[str, object]]:
    worth = worth_of_sides(plan, meetings.map)
    means = team_means(tickets, meetings, meetings.map)
    decided = is_decided(plan, worth, means[:, 0] - means[:, 1])
    reasons = np.select(
        [decided & (worth > 0), decided], ["weaker first", "weaker last"], default="lot"
    )
    for points, why in zip(worth.tolist(), reasons.tolist(), strict=True):
        yield {"points": round(points, 2), "why": why}
