"""Which people wait for a match, and how strong they are: who is sent to meet them is decided behind the scenes."""

from dataclasses import dataclass

import structlog
from asgiref.sync import sync_to_async
from django.db import DatabaseError, InterfaceError, close_old_connections

from demo.league import GAME
from demo.models import SimulatedPlayer
from matchmaking.models import TicketMember, TicketState
from ratings.models import Rating, TrackState

__all__ = ["Guest", "people_waiting"]

log = structlog.get_logger(__name__)

_START = 1500.0


@dataclass(frozen=True, slots=True)
class Guest:
    """A person who waits in a queue, rated so."""

    ticket: int
    queue: str
    rating: float


async def people_waiting() -> list[Guest]:
    """People whose tickets wait in the demo's queues; nobody while the database is away."""
    try:
        return await sync_to_async(_people_waiting)()  # in a thread: nobody else has to wait
    except (DatabaseError, InterfaceError) as error:
        log.info("database.away", error=type(error).__name__)
        return []


def _people_waiting() -> list[Guest]:
    close_old_connections()
    members = TicketMember.objects.filter(
        live=True,
        ticket__state=TicketState.WAITING,
        player__game__slug=GAME,
    ).exclude(player__in=SimulatedPlayer.objects.values("player"))
    rows = list(
        members.values_list("ticket_id", "ticket__queue__slug", "ticket__queue__ladder", "player")
    )
    ratings = _ratings({player for *_, player in rows}) if rows else {}
    return [
        Guest(ticket, queue, ratings.get((ladder, player), _START))
        for ticket, queue, ladder, player in rows
    ]


def _ratings(players: set[int]) -> dict[tuple[int, int], float]:
    """By ladder and player, those that they are matched by."""
    rows = Rating.objects.filter(
        player__in=players, track__shown=True, track__state=TrackState.LIVE
    ).values_list("track__ladder", "player", "value")
    return {(ladder, player): value for ladder, player, value in rows}
