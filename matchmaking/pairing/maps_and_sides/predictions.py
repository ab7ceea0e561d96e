"""What the ladder's rating system expects of matches as they are to be played: teams, map and side."""

import numpy as np

from matchmaking.pairing.model.plan import Plan
from matchmaking.pairing.model.proposed import Meetings
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Floats, Ints
from ratings.systems.contests import Contests
from ratings.systems.protocol import System
from ratings.systems.state import Ratings

__all__ = ["counted_rating", "evened_by_side", "foresee", "team_means", "worth_of_sides"]


def worth_of_sides(plan: Plan, maps: Ints) -> Floats:
    """Rating points that each player of the first team is better off by, on each of `maps`; -1: none."""
    own = [game_map.advantage for game_map in plan.settings.game_maps]
    worth = [plan.side_points if points is None else points for points in own]
    known: Floats = np.array([*worth, plan.side_points], dtype=np.float64)
    return known[maps]


def evened_by_side(plan: Plan) -> float:
    """Rating points that one of two teams may be ahead, each player of it: the other plays the better side.

    Which map is played is not known when teams are made: of several sides the one that is worth least.
    """
    if plan.team_count != 2 or plan.hides_strength:
        return 0.0
    maps = np.arange(len(plan.settings.game_maps)) if plan.settings.game_maps else np.array([-1])
    return float(np.abs(worth_of_sides(plan, maps)).min())


def counted_rating(tickets: Tickets, ticket: Ints, maps: Ints) -> Floats:
    """Rating points that the tickets count for, each on its map: less where they are new to it."""
    rating: Floats = tickets.rating[ticket]
    unknown = tickets.traits.get("map_points")
    if unknown is None or not unknown.shape[1]:
        return rating
    return rating - np.where(maps < 0, 0.0, unknown[ticket, maps])


def team_means(tickets: Tickets, meetings: Meetings, maps: Ints) -> Floats:
    """(m, k) rating points: the mean of the players of each team, on the map of `maps` (m,)."""
    count = int(meetings.team.max(initial=1)) + 1
    side = meetings.meeting * count + meetings.team
    sizes = tickets.seats.sizes[meetings.ticket].astype(np.float64)
    rating = counted_rating(tickets, meetings.ticket, maps[meetings.meeting])
    places = len(meetings) * count
    total = np.bincount(side, weights=rating * sizes, minlength=places)
    players = np.bincount(side, weights=sizes, minlength=places)
    means: Floats = (total / np.maximum(players, 1.0)).reshape(-1, count)
    return means


def foresee(tickets: Tickets, plan: Plan, meetings: Meetings) -> Floats:
    """(m,) the score that the system expects of the first team, on its side; nan of more than two teams.

    Of teams that the system does not rate as such their means are compared. A party's players are
    moved together, so that their mean is what the party counts for.
    """
    if plan.system is None or plan.team_count != 2 or not len(meetings):
        return np.full(len(meetings), np.nan)
    players = _Players(tickets, plan, meetings, plan.system)
    if plan.system.takes_teams and plan.team_size > 1:
        return players.expect_teams()
    return players.expect_means()


class _Players:
    """The players of all matches in rows, with the rating that each counts for in it."""

    def __init__(self, tickets: Tickets, plan: Plan, meetings: Meetings, system: System) -> None:
        seats, ticket = tickets.seats, meetings.ticket
        sizes = seats.sizes[ticket]
        row = np.repeat(np.arange(len(ticket)), sizes)
        within = np.arange(len(row)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        seat = seats.starts[ticket][row] + within
        self._system, self._meetings = system, meetings
        self._contest, self._team = meetings.meeting[row], meetings.team[row]
        maps = meetings.map[meetings.meeting]
        mean = np.add.reduceat(seats.rating[seat], np.cumsum(sizes) - sizes) / sizes
        moved = counted_rating(tickets, ticket, maps) - mean
        moved += worth_of_sides(plan, maps) * (meetings.team == 0)
        self._value = seats.rating[seat] + moved[row]
        start = system.initial(1).deviation
        self._deviation = None
        if start is not None:
            own = seats.deviation[seat]
            self._deviation = np.where(np.isnan(own), start[0], own)

    def expect_teams(self) -> Floats:
        """As the system foresees teams."""
        player = np.arange(len(self._value))
        contests = Contests(self._contest, self._team, player, np.zeros_like(player))
        expected = self._system.expected_of(_ratings(self._value, self._deviation), contests)
        first = np.searchsorted(self._contest, np.arange(len(self._meetings)))
        return expected[first]

    def expect_means(self) -> Floats:
        """As the system foresees one against one, each of the mean of a team."""
        side = self._contest * 2 + self._team
        members = np.bincount(side)
        value, deviation = np.bincount(side, weights=self._value) / members, None
        if self._deviation is not None:
            deviation = np.sqrt(np.bincount(side, weights=self._deviation**2)) / members
        first = np.arange(0, len(members), 2)
        return self._system.expected(_ratings(value, deviation), first, first + 1)


def _ratings(value: Floats, deviation: Floats | None) -> Ratings:
    nothing = np.zeros(len(value), dtype=np.int64)
    return Ratings(value, deviation, None, nothing, nothing)
