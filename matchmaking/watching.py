"""What a player's search looks like now: for pages and the API. Holds no ratings and no opponents."""

from dataclasses import dataclass
from datetime import datetime

from matchmaking.estimates import Estimate
from matchmaking.models import TicketState
from ratings.models import Match

__all__ = ["OfferSeen", "Search", "current_match", "look", "search_of", "search_on"]


@dataclass(frozen=True, slots=True)
class OfferSeen:
    """An offer that waits for answers, as one of its players sees it.

    seconds_left  until it expires, never negative
    accepted      tickets that have accepted, of `of`
    is_accepted   whether this player has
    """

    id: int
    expires_at: datetime
    seconds_left: float
    accepted: int
    of: int
    is_accepted: bool


@dataclass(frozen=True, slots=True)
class Search:
    """A ticket, and what has come of it.

    waited     seconds from joining until now, or until the search ended
    estimate   of the queue
    offer      while the ticket is offered a match
    match_id   once it is matched
    ends_at    when it expires without a sign of life; None unless it waits
    """

    ticket_id: int
    queue_id: int
    queue: str
    queue_name: str
    ladder: str
    state: TicketState
    waiting_since: datetime
    waited: float
    ends_at: datetime | None
    estimate: Estimate
    offer: OfferSeen | None
    match_id: int | None


def search_of(player_id: int) -> Search | None:
    """Return the player's live search, or the one whose match is being played; None when there is neither."""
    raise NotImplementedError


def search_on(ticket_id: int) -> Search:
    """Return the search of one ticket, whatever its state. Raises Ticket.DoesNotExist."""
    raise NotImplementedError


def look(player_id: int) -> Search | None:
    """Return what `search_of` does, for the player's own eyes: looking is a sign of life."""
    raise NotImplementedError


def current_match(player_id: int) -> Match | None:
    """Return the match that the player is in and has not reported; None when there is none."""
    raise NotImplementedError
