"""Which people wait for a match, and who would be a match for them: read behind the scenes."""

from dataclasses import dataclass

import structlog
from asgiref.sync import sync_to_async
from django.db import DatabaseError, InterfaceError, close_old_connections
from django.db.models import F
from django.db.models.functions import Abs

from demo.league import GAME
from demo.models import SimulatedPlayer
from matchmaking.models import TicketMember, TicketState
from ratings.models import Facet, Rating, TrackState

__all__ = ["Guest", "people_waiting", "see_waiting"]

log = structlog.get_logger(__name__)

_START = 1500.0
_CHOICE = 60  # more than are usually busy


@dataclass(frozen=True, slots=True)
class Guest:
    """A person who waits for so many `others`; `near` are ids in the game of simulated players, the nearest first."""

    ticket: int
    queue: str
    near: tuple[str, ...]
    others: int = 1


async def people_waiting() -> list[Guest]:
    """People whose tickets wait in the demo's queues; nobody while the database is away."""
    try:
        return await sync_to_async(see_waiting)()  # in a thread: nobody else has to wait
    except (DatabaseError, InterfaceError) as error:
        log.info("database.away", error=type(error).__name__)
        return []


def see_waiting() -> list[Guest]:
    """The same, at once, on a connection that is good."""
    close_old_connections()
    simulated = SimulatedPlayer.objects.values("player")
    waiting = TicketMember.objects.filter(
        live=True, ticket__state=TicketState.WAITING, player__game__slug=GAME
    ).exclude(player__in=simulated)
    shape = ("ticket__queue__ladder__team_count", "ticket__queue__ladder__team_size")
    columns = ("ticket_id", "ticket__queue__slug", "ticket__queue__ladder", "player", *shape)
    guests = []
    for ticket, queue, ladder, player, teams, size in waiting.values_list(*columns):
        # By the ratings that the queue matches by, hidden or not.
        ratings = Rating.objects.filter(
            track__ladder=ladder,
            track__shown=True,
            track__facet=Facet.NONE,
            track__state=TrackState.LIVE,
        )
        own = ratings.filter(player=player).values_list("value", flat=True).first() or _START
        nearest = ratings.filter(player__in=simulated).order_by(Abs(F("value") - own), "player")
        near = tuple(nearest.values_list("player__external_id", flat=True)[:_CHOICE])
        guests.append(Guest(ticket, queue, near, teams * size - 1))
    return guests
