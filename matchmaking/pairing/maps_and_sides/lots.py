"""Lots that are the same whenever the same tickets draw them."""

import numpy as np

from matchmaking.pairing.matches import ProposedMatches
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Floats, Ints

__all__ = ["draw_lots", "match_lots", "team_lots"]

_BITS = 2.0**53


def draw_lots(ids: Ints) -> Floats:
    """A number from 0 up to 1 for each id, spread evenly, without any order that ids have.

    The mixer of splitmix64 (Steele, Lea & Flood, 2014), of which the upper 53 bits are kept.
    """
    mixed = ids.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    lots: Floats = (mixed >> np.uint64(11)).astype(np.float64) / _BITS
    return lots


def match_lots(tickets: Tickets, matches: ProposedMatches, count: int) -> Floats:
    """(m, count): lots of `count` things in each match, whatever the order of its tickets."""
    seeds = _seeds(tickets, matches, matches.starts[:-1])[:, np.newaxis] + np.arange(count)
    return draw_lots(seeds.ravel()).reshape(-1, count)


def team_lots(tickets: Tickets, matches: ProposedMatches, count: int) -> Floats:
    """(m, count): a lot of each of `count` teams against the others of its match."""
    team = matches.match * count + matches.team
    of_teams = _seeds(tickets, matches, np.flatnonzero(np.diff(team, prepend=-1)))
    of_matches = _seeds(tickets, matches, matches.starts[:-1])
    return draw_lots(of_teams + np.repeat(of_matches, count)).reshape(-1, count)


def _seeds(tickets: Tickets, matches: ProposedMatches, starts: Ints) -> Ints:
    """A number that the numbers of the tickets make up from each of these rows of the matches to the next."""
    drawn = (draw_lots(tickets.id[matches.ticket]) * _BITS).astype(np.int64)
    return np.bitwise_xor.reduceat(drawn, starts)
