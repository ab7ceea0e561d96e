"""What sides are worth, which team plays the better one, and what the ladder's system expects of the match then."""

from dataclasses import replace

import numpy as np

from matchmaking.pairing.maps_and_sides.lots import team_lots
from matchmaking.pairing.matches import ProposedMatches
from matchmaking.pairing.plan import Plan
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Bools, Floats, Ints
from ratings.systems.contests import Contests
from ratings.systems.state import Ratings

__all__ = [
    "assign_sides",
    "evened_by_side",
    "expected_scores",
    "is_decided",
    "team_means",
    "worth_of_sides",
]

_EQUAL = 1e-9  # points


def assign_sides(matches: ProposedMatches, tickets: Tickets, plan: Plan) -> ProposedMatches:
    """The same matches, teams in the order of their sides, with the score expected of the first.

    Of two teams, or players, the weaker one on the match's map plays the better side: it comes first
    where that is worth something, last where it is worth less than nothing. Where no side is known to
    be better, the teams are equal, there are more than two, or strengths are hidden, a lot decides
    that the numbers of the tickets draw: the same ones always the same, nobody always first.
    """
    if not len(matches):
        return matches
    means = team_means(tickets, matches, matches.map)
    first = team_lots(tickets, matches, means.shape[1])
    if means.shape[1] == 2:
        worth, ahead = worth_of_sides(plan, matches.map), means[:, 0] - means[:, 1]
        decided = is_decided(plan, worth, ahead)
        points = np.where(decided, np.sign(worth) * ahead, 0.0)
        first[decided] = np.stack((points, -points), axis=1)[decided]
    # Teams are renumbered in that order; the rows of a team stay in theirs.
    order = np.argsort(np.argsort(first, axis=1, kind="stable"), axis=1)
    team = order[matches.match, matches.team]
    rows = np.lexsort((team, matches.match))
    ordered = replace(matches, ticket=matches.ticket[rows], team=team[rows])
    return replace(ordered, chance=expected_scores(tickets, plan, ordered))


def is_decided(plan: Plan, worth: Floats, ahead: Floats) -> Bools:
    """Whether strength decides who plays which side, and not a lot.

    worth  rating points of the first side;   ahead  rating points from team to team
    """
    decided: Bools = (worth != 0) & (np.abs(ahead) > _EQUAL) & (not plan.hides_strength)
    return decided


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


def team_means(tickets: Tickets, matches: ProposedMatches, maps: Ints) -> Floats:
    """(m, k) rating points: the mean of the players of each team, on the map of `maps` (m,)."""
    count = int(matches.team.max(initial=1)) + 1
    side = matches.match * count + matches.team
    sizes = tickets.members.sizes[matches.ticket].astype(np.float64)
    rating = counted_rating(tickets, matches.ticket, maps[matches.match])
    teams = len(matches) * count
    total = np.bincount(side, weights=rating * sizes, minlength=teams)
    players = np.bincount(side, weights=sizes, minlength=teams)
    means: Floats = (total / np.maximum(players, 1.0)).reshape(-1, count)
    return means


def expected_scores(tickets: Tickets, plan: Plan, matches: ProposedMatches) -> Floats:
    """(m,) the score that the system expects of the first team, on its side; nan of more than two teams.

    Of teams that the system does not rate as such their means are compared. A party's players are
    moved together, so that their mean is what the party counts for.
    """
    system = plan.system
    if system is None or plan.team_count != 2 or not len(matches):
        return np.full(len(matches), np.nan)
    # The players of all matches in rows, with the rating that each counts for in it.
    members, ticket = tickets.members, matches.ticket
    sizes = members.sizes[ticket]
    starts = np.cumsum(sizes) - sizes
    row = np.repeat(np.arange(len(ticket)), sizes)
    member = members.starts[ticket][row] + np.arange(len(row)) - np.repeat(starts, sizes)
    contest, team = matches.match[row], matches.team[row]
    maps = matches.map[matches.match]
    moved = counted_rating(tickets, ticket, maps)
    moved = moved - np.add.reduceat(members.rating[member], starts) / sizes
    moved += worth_of_sides(plan, maps) * (matches.team == 0)
    value = members.rating[member] + moved[row]
    deviation = None
    if (start := system.initial(1).deviation) is not None:
        own = members.deviation[member]
        deviation = np.where(np.isnan(own), start[0], own)
    if system.takes_teams and plan.team_size > 1:
        player = np.arange(len(value))
        contests = Contests(contest, team, player, np.zeros_like(player))
        first = np.searchsorted(contest, np.arange(len(matches)))
        return system.expected_of(Ratings.without_games(value, deviation), contests)[first]
    # As one against one, each of the mean of a team.
    side = contest * 2 + team
    count = np.bincount(side)
    if deviation is not None:
        deviation = np.sqrt(np.bincount(side, weights=deviation**2)) / count
    means = Ratings.without_games(np.bincount(side, weights=value) / count, deviation)
    first = np.arange(0, len(count), 2)
    return system.expected(means, first, first + 1)
