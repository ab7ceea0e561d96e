"""Wake-ups of clans. They find their work in the database: correct when run never, once or twice."""

from celery import shared_task

from clans import invitations

__all__ = ["forget_old"]


@shared_task(name="clans.forget_old")
def forget_old() -> None:
    """Forget invitations and applications that nobody has answered."""
    invitations.forget_old()
