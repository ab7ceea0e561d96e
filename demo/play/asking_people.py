"""What people ask of simulated players: a match, friendship, company in a room. Read behind the scenes."""

from dataclasses import dataclass, field

import structlog
from asgiref.sync import sync_to_async
from django.db import DatabaseError, InterfaceError, close_old_connections
from django.db.models import Count, F, Q

from challenges.models import Challenge, ChallengeState
from demo.league import GAME
from demo.models import SimulatedPlayer
from foundation import clock
from people.models import Friendship
from rooms.models import Access, Room, RoomState

__all__ = ["Asked", "people_asking", "see_asked"]

log = structlog.get_logger(__name__)

_AT_ONCE = 20  # of each kind


@dataclass(frozen=True, slots=True)
class Asked:
    """What waits for an answer.

    challenges  id of each, its ladder, and who is challenged, by the id in the game
    friends     who is asked, by the id in the game, and the id of the person
    rooms       number of each room in which seats are free, and its ladder
    """

    challenges: list[tuple[int, str, str]] = field(default_factory=list)
    friends: list[tuple[str, int]] = field(default_factory=list)
    rooms: list[tuple[int, str]] = field(default_factory=list)


async def people_asking() -> Asked:
    """What people ask; nothing while the database is away."""
    try:
        return await sync_to_async(see_asked)()  # in a thread: nobody else has to wait
    except (DatabaseError, InterfaceError) as error:
        log.info("database.away", error=type(error).__name__)
        return Asked()


def see_asked() -> Asked:
    """The same, at once, on a connection that is good."""
    close_old_connections()
    simulated = SimulatedPlayer.objects.values("player")
    challenges = Challenge.objects.filter(
        state=ChallengeState.OPEN,
        challenged__in=simulated,
        expires_at__gt=clock.now(),
        at=None,
        ladder__game__slug=GAME,
    ).exclude(challenger__in=simulated)
    rooms = (
        Room.objects.filter(game__slug=GAME, state=RoomState.OPEN, access=Access.ALL)
        .exclude(host__in=simulated)
        .annotate(seated=Count("members", filter=Q(members__live=True, members__seat__gte=0)))
        .filter(seated__lt=F("seats"))
    )
    requests = Friendship.objects.filter(agreed_at=None)
    friends = [
        *requests.filter(by_low=True, high__in=simulated)
        .exclude(low__in=simulated)
        .values_list("high__external_id", "low")[:_AT_ONCE],
        *requests.filter(by_low=False, low__in=simulated)
        .exclude(high__in=simulated)
        .values_list("low__external_id", "high")[:_AT_ONCE],
    ]
    columns = ("pk", "ladder__slug", "challenged__external_id")
    return Asked(
        challenges=list(challenges.order_by("pk").values_list(*columns)[:_AT_ONCE]),
        friends=friends,
        rooms=list(rooms.order_by("pk").values_list("pk", "ladder__slug")[:_AT_ONCE]),
    )
