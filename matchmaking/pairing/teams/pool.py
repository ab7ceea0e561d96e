"""Everybody who waits, in the order of ratings, and what is worked out once for all of a sweep."""

import numpy as np

from matchmaking.pairing.condition import Condition, Use
from matchmaking.pairing.conditions import RatingGap
from matchmaking.pairing.duels.rating_line import Line
from matchmaking.pairing.model.plan import Plan, conditions_of
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Floats, Ints

__all__ = ["Hall"]


class Hall:
    """All n tickets of a queue.

    line    their places by rating, and what stretch of it each accepts by the rating condition
    order   int64 (n,), the position of the ticket at each place
    spread  float64 (n,), by position: points between strongest and weakest of a match it accepts
    sizes   int64 (n,), by position: players
    held    the other conditions that may refuse somebody
    costing conditions that say what those who may meet dislike, that of the rating among them; empty where
            it alone has anything to say: then the nearest are the best
    """

    def __init__(self, tickets: Tickets, plan: Plan) -> None:
        self.tickets, self.plan = tickets, plan
        conditions, gap = conditions_of(plan), np.full(len(tickets), np.inf)
        for condition in conditions:
            if type(condition) is RatingGap:
                gap = np.minimum(gap, condition.tolerances(tickets))
        self.line, self.order = Line.by(tickets, gap, start=0.0)
        self.held = [one.bound(tickets) for one in conditions if _may_refuse(one, tickets)]
        costing = [one.bound(tickets) for one in conditions if _may_cost(one, tickets)]
        is_near_best = all(type(one) is RatingGap for one in costing)
        self.costing = [] if is_near_best else costing
        teams = plan.settings.teams
        self.spread: Floats = teams.spread_start + teams.spread_per_second * tickets.waited
        self.sizes = tickets.seats.sizes
        self._place = np.empty(len(tickets), dtype=np.int64)
        self._place[self.order] = np.arange(len(tickets))

    def places(self, chosen: Ints) -> Ints:
        """The places of these positions, ascending."""
        return np.sort(self._place[chosen])


def _may_cost(condition: Condition, tickets: Tickets) -> bool:
    """Whether tickets that it lets meet may dislike each other: not where nobody accepts any distance."""
    if not condition.seconds or condition.is_idle(tickets):
        return False
    return bool(condition.tolerances(tickets).any())


def _may_refuse(condition: Condition, tickets: Tickets) -> bool:
    if type(condition) is RatingGap or condition.use is Use.PREFER:
        return False
    return not condition.is_idle(tickets)
