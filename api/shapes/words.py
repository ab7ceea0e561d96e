"""Words that programs read: they stay the same in every language."""

from ratings.models import Status

__all__ = ["STATUSES", "status_word"]

STATUSES = [status.name.lower() for status in Status]


def status_word(status: int) -> str:
    """`new`, `provisional` or `established`."""
    return Status(status).name.lower()
