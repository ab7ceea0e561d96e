"""Which team plays the better side, and what is expected of the match then."""

from dataclasses import replace

import numpy as np

from matchmaking.pairing.maps_and_sides.lots import draw_lots
from matchmaking.pairing.maps_and_sides.predictions import foresee, team_means, worth_of_sides
from matchmaking.pairing.model.plan import Plan
from matchmaking.pairing.model.proposed import Meetings
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Bools, Floats, Ints

__all__ = ["assign_sides", "is_decided", "meeting_seeds"]

_EQUAL = 1e-9  # points


def assign_sides(meetings: Meetings, tickets: Tickets, plan: Plan) -> Meetings:
    """The same matches, teams in the order of their sides, with the score expected of the first.

    Of two teams, or players, the weaker one on the match's map plays the better side: it comes first
    where that is worth something, last where it is worth less than nothing. Where no side is known to
    be better, the teams are equal, there are more than two, or strengths are hidden, a lot decides
    that the numbers of the tickets draw: the same ones always the same, nobody always first.
    """
    if not len(meetings):
        return meetings
    means = team_means(tickets, meetings, meetings.map)
    first = _lots(tickets, meetings, means.shape[1])
    if means.shape[1] == 2:
        worth, ahead = worth_of_sides(plan, meetings.map), means[:, 0] - means[:, 1]
        decided = is_decided(plan, worth, ahead)
        points = np.where(decided, np.sign(worth) * ahead, 0.0)
        first[decided] = np.stack((points, -points), axis=1)[decided]
    ordered = _in_order(meetings, np.argsort(np.argsort(first, axis=1, kind="stable"), axis=1))
    return replace(ordered, chance=foresee(tickets, plan, ordered))


def is_decided(plan: Plan, worth: Floats, ahead: Floats) -> Bools:
    """Whether strength decides who plays which side, and not a lot.

    worth  rating points of the first side;   ahead  rating points from team to team
    """
    decided: Bools = (worth != 0) & (np.abs(ahead) > _EQUAL) & (not plan.hides_strength)
    return decided


def meeting_seeds(tickets: Tickets, meetings: Meetings) -> Ints:
    """A number of each match that the numbers of its tickets make up, whatever their order."""
    drawn = _drawn(tickets.id[meetings.ticket])
    return np.bitwise_xor.reduceat(drawn, meetings.starts[:-1])


def _lots(tickets: Tickets, meetings: Meetings, count: int) -> Floats:
    """(m, k): a lot of each team against the others of its match."""
    side = meetings.meeting * count + meetings.team
    starts = np.flatnonzero(np.diff(side, prepend=-1))
    drawn = np.bitwise_xor.reduceat(_drawn(tickets.id[meetings.ticket]), starts)
    seeds = meeting_seeds(tickets, meetings)
    return draw_lots(drawn + np.repeat(seeds, count)).reshape(-1, count)


def _drawn(ids: Ints) -> Ints:
    drawn: Ints = (draw_lots(ids) * 2.0**53).astype(np.int64)
    return drawn


def _in_order(meetings: Meetings, place: Ints) -> Meetings:
    """Teams renumbered: (m, k) `place` of each; the rows of a team stay in their order."""
    team = place[meetings.meeting, meetings.team]
    rows = np.lexsort((team, meetings.meeting))
    return replace(meetings, ticket=meetings.ticket[rows], team=team[rows])
