"""What tickets add to a team."""

from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Floats

__all__ = ["team_points"]


def team_points(tickets: Tickets) -> Floats:
    """Rating points each ticket adds to the total of its team: all its players count for the same.

    `tickets.rating` is what each of them counts for: the mean of a party, and its bonus.
    """
    points: Floats = tickets.rating * tickets.seats.sizes
    return points
