"""Wake-ups of rooms. They find their work in the database: correct when run never, once or twice."""

from celery import shared_task

from rooms import tend

__all__ = ["tend_rooms"]


@shared_task(name="rooms.tend_rooms")
def tend_rooms() -> None:
    """Do what the clock says is due in rooms."""
    tend.tend_rooms()
