"""How a queue is doing, for operators: who waits, what became of its latest offers, and of those of a day."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Avg, Count, Q
from django.db.models.expressions import F

from foundation import clock
from matchmaking.models import Offer, OfferState, Queue, Ticket
from matchmaking.models.tickets import LIVE
from ratings.models import Player

__all__ = ["offers_of_a_day", "players_on", "waiting_in"]

_DAY = timedelta(days=1)
# Of a busy day the newest so many offers say enough.
_MOST = 10_000


@dataclass(frozen=True, slots=True)
class Waiting:
    """A live ticket, its players, and for how many seconds it has waited."""

    ticket: Ticket
    players: list[Player]
    seconds: float


@dataclass(frozen=True, slots=True)
class DayOfOffers:
    """Offers of the last day that have ended: how many, shares of each outcome from 0 to 1, and the mean rating gap.

    `gap` is None where no offer has one.
    """

    ended: int
    accepted: float
    declined: float
    expired: float
    gap: float | None


def waiting_in(queue: Queue, *, at_most: int) -> tuple[int, list[Waiting]]:
    """Return how many tickets are live, and those that have waited longest. Four queries."""
    now = clock.now()
    live = Ticket.objects.filter(queue=queue, state__in=LIVE)
    tickets = list(live.order_by("waiting_since", "pk")[:at_most])
    players = players_on([ticket.pk for ticket in tickets])
    return live.count(), [
        Waiting(ticket, players[ticket.pk], (now - ticket.waiting_since).total_seconds())
        for ticket in tickets
    ]


def players_on(ticket_ids: Collection[int]) -> dict[int, list[Player]]:
    """Return the players of these tickets. One query."""
    found: dict[int, list[Player]] = {pk: [] for pk in ticket_ids}
    players = Player.objects.filter(tickets__ticket__in=found).order_by("tickets__pk")
    on_tickets: Any = players.annotate(on_ticket=F("tickets__ticket"))
    for player in on_tickets:
        found[player.on_ticket].append(player)
    return found


def offers_of_a_day(queue: Queue) -> DayOfOffers | None:
    """Return what became of the last day's offers; None where none has ended. One query."""
    offers = Offer.objects.filter(queue=queue, created_at__gte=clock.now() - _DAY)
    newest = offers.exclude(state=OfferState.PENDING).order_by("-created_at", "-pk")[:_MOST]
    found = newest.aggregate(
        ended=Count("pk"),
        accepted=Count("pk", filter=Q(state=OfferState.ACCEPTED)),
        declined=Count("pk", filter=Q(state=OfferState.DECLINED)),
        expired=Count("pk", filter=Q(state=OfferState.EXPIRED)),
        mean_gap=Avg("gap"),
    )
    ended = found["ended"]
    if not ended:
        return None
    shares = {name: found[name] / ended for name in ("accepted", "declined", "expired")}
    return DayOfOffers(ended=ended, gap=found["mean_gap"], **shares)
