"""Joining a queue, staying in it, and leaving it."""

from matchmaking.models import Queue, Ticket
from ratings.models import Player

__all__ = ["beat", "join", "leave"]


def join(*, queue: Queue, player: Player) -> Ticket:
    """Begin to search.

    Raises QueueClosedError, NotPairedError, WrongGameError, AlreadySearchingError, AlreadyPlayingError.
    """
    raise NotImplementedError


def beat(*, ticket_id: int) -> None:
    """Note a sign of life, at most every quarter of the queue's heartbeat. Never waits and never refuses."""
    raise NotImplementedError


def leave(*, ticket_id: int) -> Ticket:
    """Cancel a search; an offer that waits for an answer is declined with it.

    Once this has returned, no match comes of the ticket. A ticket that has ended otherwise is given back as it is.
    Raises AlreadyMatchedError when the match won, and Ticket.DoesNotExist.
    """
    raise NotImplementedError
