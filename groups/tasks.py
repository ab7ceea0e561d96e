"""Wake-ups of groups. They find their work in the database: correct when run never, once or twice."""

from celery import shared_task

from groups import draw

__all__ = ["draw_groups"]


@shared_task(name="groups.draw_groups")
def draw_groups() -> None:
    """Draw random groups where that is due, and end those whose time is over."""
    draw.draw_due()
    draw.end_due()
