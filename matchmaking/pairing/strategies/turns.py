"""One ticket after another looks for a match, who has waited longest first."""

from collections.abc import Callable, Iterable

from matchmaking.pairing.model.plan import Plan
from matchmaking.pairing.strategies.filling import Filler
from matchmaking.pairing.strategies.held_conditions import Demands
from matchmaking.pairing.strategies.row import Row
from matchmaking.pairing.tickets import Tickets

__all__ = ["take_turns"]


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
