"""Which map a match is played on."""

from dataclasses import dataclass, replace

import numpy as np

from matchmaking.pairing.maps_and_sides.lots import match_lots
from matchmaking.pairing.maps_and_sides.sides import team_means, worth_of_sides
from matchmaking.pairing.matches import ProposedMatches
from matchmaking.pairing.plan import Plan
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Bools, Floats, Ints

__all__ = ["choose_maps", "rounds_of_choice", "votes_on_maps"]

# Maps are as even as each other within what so many seconds of waiting are worth.
_SECONDS = 5.0


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MapVotes:
    """What speaks for and against each of M maps in m matches; every array has shape (m, M).

    vetoes  int64, players who do not want it
    likes   int64, players who like it
    uneven  float64, rating points between the strongest and the weakest team there, by their means;
            of two teams when the weaker plays the better side, if strengths are not hidden
    """

    vetoes: Ints
    likes: Ints
    uneven: Floats


def choose_maps(matches: ProposedMatches, tickets: Tickets, plan: Plan) -> ProposedMatches:
    """The same matches, each with a map of the queue's; without maps, as they are.

    One that nobody has vetoed; of these one on which the teams are about as even as they can be; of
    these the most liked; of these by a lot which the numbers of the tickets draw, so that maps change.
    Were every map vetoed by somebody, those that the fewest have vetoed count as if nobody had.
    """
    maps = len(plan.settings.game_maps)
    if not maps or not len(matches):
        return matches
    liked = rounds_of_choice(votes_on_maps(matches, tickets, plan), plan)[-1]
    lots = match_lots(tickets, matches, maps)
    return replace(matches, map=np.where(liked, lots, -1.0).argmax(axis=1))


def rounds_of_choice(votes: MapVotes, plan: Plan) -> tuple[Bools, Bools, Bools]:
    """(m, M) each: which maps the fewest have vetoed; of these the even; of these the most liked."""
    fewest: Bools = votes.vetoes == votes.vetoes.min(axis=1, keepdims=True)
    uneven = np.where(fewest, votes.uneven, np.inf)
    near = _SECONDS * plan.settings.exchange.points_per_second
    even: Bools = uneven <= uneven.min(axis=1, keepdims=True) + near
    likes = np.where(even, votes.likes, -1)
    liked: Bools = likes == likes.max(axis=1, keepdims=True)
    return fewest, even, liked


def votes_on_maps(matches: ProposedMatches, tickets: Tickets, plan: Plan) -> MapVotes:
    """What speaks for and against the queue's maps in each match."""
    maps = len(plan.settings.game_maps)
    uneven = np.empty((len(matches), maps))
    for number in range(maps):
        where = np.full(len(matches), number)
        means = team_means(tickets, matches, where)
        apart = np.ptp(means, axis=1)
        if means.shape[1] == 2:  # on average, where a lot decides who plays the better side
            worth = np.abs(worth_of_sides(plan, where))
            apart = np.maximum(apart, worth) if plan.hides_strength else np.abs(apart - worth)
        uneven[:, number] = apart
    return MapVotes(
        vetoes=_count(matches, tickets, "maps_vetoed", maps),
        likes=_count(matches, tickets, "maps_liked", maps),
        uneven=uneven,
    )


def _count(matches: ProposedMatches, tickets: Tickets, trait: str, maps: int) -> Ints:
    """(m, M): how many players have the bit of the map."""
    counted = np.zeros((len(matches), maps), dtype=np.int64)
    if trait in tickets.traits:
        bits = tickets.traits[trait][matches.ticket]
        sizes, starts = tickets.members.sizes[matches.ticket], matches.starts[:-1]
        for one in range(maps):
            counted[:, one] = np.add.reduceat(sizes * (bits >> one & 1), starts)
    return counted
