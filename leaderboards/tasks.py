"""Wake-ups of the boards."""

from celery import shared_task

from leaderboards import standings


@shared_task(name="leaderboards.flip_due_standings")
def flip_due_standings() -> None:
    """Follow what time and operators changed. Correct when run never, once, twice or twice at once."""
    standings.refresh_due()
    standings.flip_due()
