"""What simulated players hear of people: who waits, and what they say of a match. Read only; they act through the API.

In a real game both players know how their match went. Here only the person can tell.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import structlog
from asgiref.sync import sync_to_async
from django.db import DatabaseError, InterfaceError, close_old_connections

from demo.league import GAME
from demo.models import SimulatedPlayer
from matchmaking.models import TicketMember, TicketState
from ratings.models import Rating, Report, TrackState

__all__ = ["Guest", "people_waiting", "word_against"]

log = structlog.get_logger(__name__)

T = TypeVar("T")
_START = 1500.0


@dataclass(frozen=True, slots=True)
class Guest:
    """A person who waits in a queue, rated so."""

    ticket: int
    queue: str
    rating: float


async def people_waiting() -> list[Guest]:
    """People whose tickets wait in the demo's queues; nobody while the database is away."""
    return await _ask(_people_waiting, [])


async def word_against(match: int, player: str) -> str | None:
    """What an opponent of `player` has reported of the match; None before that."""
    return await _ask(lambda: _word_against(match, player), None)


async def _ask(read: Callable[[], T], otherwise: T) -> T:
    """Read in a thread of its own, so that nobody else has to wait."""
    try:
        return await sync_to_async(_with_connection)(read)
    except (DatabaseError, InterfaceError) as error:
        log.info("database.away", error=type(error).__name__)
        return otherwise


def _with_connection(read: Callable[[], T]) -> T:
    close_old_connections()
    return read()


def _people_waiting() -> list[Guest]:
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


def _word_against(match: int, player: str) -> str | None:
    words = Report.objects.filter(match=match).exclude(player__external_id=player)
    return words.order_by("-pk").values_list("outcome", flat=True).first()
