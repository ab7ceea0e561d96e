"""Words that programs read: they stay the same in every language."""

from ratings.models import MatchState, Status

__all__ = ["MATCH_STATES", "STATUSES", "status_word"]

MATCH_STATES = list(MatchState.values)
STATUSES = [status.name.lower() for status in Status]


def status_word(status: int) -> str:
    """`new`, `provisional` or `established`."""
    return Status(status).name.lower()
