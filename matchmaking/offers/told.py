"""Offers by push, for players who have no page open: a browser that shows one keeps still."""

from collections.abc import Iterable

from matchmaking.models import Queue
from notifications.models import PushSubscription
from notifications.tell import tell

__all__ = ["tell_of_offers"]


def tell_of_offers(queue: Queue, players: Iterable[int]) -> None:
    """Tell these players that they are offered a match, in the transaction in which they are."""
    if PushSubscription.objects.exists():  # else a sweep of thousands need not ask who wants it
        tell("offer.made", players, data={"queue": queue.slug, "queue_name": queue.name})
