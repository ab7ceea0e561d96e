"""Wake-ups of the boards."""

from celery import shared_task

from leaderboards.boards import hidden, refresh


@shared_task(name="leaderboards.flip_due_standings")
def flip_due_standings() -> None:
    """Follow what time and operators changed. Correct when run never, once, twice or twice at once."""
    refresh.refresh_due()
    refresh.flip_due()
    hidden.follow_sanctions()
