"""Processes that are killed in the middle of what they do in rooms: promises hold afterwards, and others go on."""

import random
import signal
from collections import Counter
from collections.abc import Callable
from contextlib import suppress

import pytest

from foundation.refusals import RefusedError
from matchmaking.models import Queue
from matchmaking.tickets import lifecycle as tickets
from ratings.models import Player
from rooms import coming, lifecycle, start, tend
from rooms.models import Room, RoomState
from tests.forms import often
from tests.processes import killed_behind, running
from tests.rooms.lounge import check_rooms, make_lounge

pytestmark = pytest.mark.django_db(transaction=True)
_PLAYERS = 8


def acting(seed: int, statements: int) -> None:
    """Do anything in rooms, and be killed behind so many statements."""
    luck = random.Random(seed)
    with killed_behind(statements):
        while True:
            act(luck)


def act(luck: random.Random) -> None:
    """One thing by one player, whatever the rules say to it."""
    player = luck.choice(list(Player.objects.select_related("game")))
    queue = Queue.objects.select_related("ladder__game").get()
    live = list(Room.objects.filter(ended_at=None).select_related("host"))
    room = luck.choice(live) if live else None
    pk = room.pk if room else 0
    host = room.host if room else player
    settings = {
        "name": "Room",
        "team_choice": luck.choice(["seated", "draft"]),
        "start_rule": luck.choice(["full", "host"]),
    }
    acts: list[Callable[[], object]] = [
        lambda: lifecycle.open_room(player=player, ladder=queue.ladder, settings=settings),
        *[lambda: coming.join(room_id=pk, player=player)] * 5,
        lambda: lifecycle.leave(room_id=pk, player=player),
        lambda: lifecycle.remove(room_id=pk, by=host, player=player.pk),
        lambda: start.start(room_id=pk, by=host),
        lambda: tickets.join(queue=queue, player=player),
        tend.tend_rooms,
    ]
    with suppress(RefusedError):
        luck.choice(acts)()


def test_promises_hold_whenever_a_process_is_killed() -> None:
    make_lounge(_PLAYERS, size=2)
    luck, seen = random.Random(1), Counter[str]()
    for seed in range(often(12, 40)):
        with running(acting, seed, luck.randint(5, 200)) as process:
            assert process.wait() == -signal.SIGKILL
        check_rooms()
        seen.update(Room.objects.values_list("state", flat=True))
    assert seen[RoomState.OPEN] + seen[RoomState.STARTED] + seen[RoomState.DRAFTING] > 0
    act(random.Random(2))
    check_rooms()
