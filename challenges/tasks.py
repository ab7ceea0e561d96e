"""Wake-ups of challenges. Each finds its work in the database: correct when run never, once or twice."""

from celery import shared_task

from challenges import settle

__all__ = ["settle_challenges"]


@shared_task(name="challenges.settle")
def settle_challenges() -> None:
    """End what is over, remind of appointments, begin matches for which both are there."""
    settle.settle()
