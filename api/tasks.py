"""Wake-ups of the API. Correct when run never, once, twice or twice at once."""

from celery import shared_task

from api.auth.issue import forget_expired_tokens
from api.contract.idempotency import forget_old_answers
from foundation import timekeeping

__all__ = ["forget"]


@shared_task(name="api.forget")
def forget() -> None:
    """Delete what is of no use any more: old stored answers, and tokens that expired long ago."""
    if not timekeeping.is_steady():  # by a wrong clock everything is old
        return
    forget_old_answers()
    forget_expired_tokens()
