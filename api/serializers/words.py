"""Words that programs read: they stay the same in every language."""

from matchmaking.models import TicketState
from ratings.models import MatchState, Status

__all__ = ["MATCH_STATES", "STATUSES", "TICKET_STATES", "status_word"]

MATCH_STATES = list(MatchState.values)
TICKET_STATES = list(TicketState.values)
STATUSES = [status.name.lower() for status in Status]


def status_word(status: int | None) -> str | None:
    """`new`, `provisional` or `established`; None for none."""
    return None if status is None else Status(status).name.lower()
