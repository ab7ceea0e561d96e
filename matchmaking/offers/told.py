"""What players are told of offers and of their searches: by push, and a browser that shows a page keeps still."""

from collections.abc import Iterable
from datetime import timedelta

from django.utils.translation import gettext_lazy as _

from matchmaking.models import Queue
from notifications.kinds import Group, register, to
from notifications.models import PushSubscription, Way
from notifications.tell import tell

__all__ = ["declare", "tell_of_offers"]


def declare() -> None:
    """Say which kinds of notices there are. Called from the app's `ready()`."""
    for code, words in (
        ("offer.made", _("A match is offered to you in %(queue_name)s.")),
        ("ticket.asked", _("Still there? A match in %(queue_name)s waits for you.")),
    ):
        register(
            code,
            Group.OFFERS,
            words,
            leads_to=to("queue", "queue"),
            ways=[Way.PUSH],
            lasts=timedelta(minutes=5),
        )


def tell_of_offers(queue: Queue, players: Iterable[int]) -> None:
    """Tell these players that they are offered a match, in the transaction in which they are."""
    if PushSubscription.objects.exists():  # else a sweep of thousands need not ask who wants it
        tell("offer.made", players, data={"queue": queue.slug, "queue_name": queue.name})
