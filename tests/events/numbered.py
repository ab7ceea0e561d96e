"""Events that carry a number, by which tests tell them apart."""

from django.db import transaction

from events import outbox

__all__ = ["publish"]


def publish(number: int) -> None:
    """One `thing.happened`, in a transaction of its own."""
    with transaction.atomic():
        outbox.publish("thing.happened", number=number)
