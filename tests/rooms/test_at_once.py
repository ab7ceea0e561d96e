"""Rooms at the same moment: many come at once, some search, several start, and the promises hold."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from foundation.refusals import RefusedError
from matchmaking.models import TicketMember
from matchmaking.tickets import lifecycle as tickets
from ratings.matches.start import start_match
from ratings.models import Match
from rooms import coming, lifecycle, start, tend
from rooms.models import Room, RoomMember
from tests.at_once import at_once
from tests.forms import often
from tests.rooms.lounge import Lounge, check_rooms, make_lounge

pytestmark = pytest.mark.django_db(transaction=True)


def told(function: Callable[..., object], **given: Any) -> Callable[[], str]:
    """A call that says what became of it: nothing, or the code of the refusal."""

    def act() -> str:
        try:
            function(**given)
        except RefusedError as refusal:
            return refusal.code
        return ""

    return act


def joining(lounge: Lounge, room: Room, number: int) -> Callable[[], str]:
    player = lounge.hall.players[number]
    return told(coming.join, room_id=room.pk, player=player)


def test_so_many_come_as_there_are_seats() -> None:
    for _ in range(often(3, 20)):
        lounge = make_lounge(12, size=2)
        room = lounge.open(0)
        codes = Counter(at_once([joining(lounge, room, number) for number in range(1, 12)]))
        assert codes == {"": 3, "room_full": 8}
        check_rooms()


def test_nobody_comes_into_two_rooms_at_once() -> None:
    for _ in range(often(3, 20)):
        lounge = make_lounge(12, size=2)
        rooms = [lounge.open(number) for number in range(4)]
        codes = Counter(at_once([joining(lounge, room, 9) for room in rooms]))
        assert codes == {"": 1, "already_in_room": 3}
        check_rooms()


def test_nobody_sits_and_searches_or_plays_at_once() -> None:
    """The one that is later sees the other, or waits for it: neither both, nor none."""
    for _ in range(often(5, 40)):
        lounge = make_lounge(6, size=1)
        hall, room = lounge.hall, lounge.open(0)
        player = hall.players[1]
        seats, searches = at_once(
            [
                joining(lounge, room, 1),
                told(tickets.join, queue=hall.queue, player=player),
            ]
        )
        assert (seats, searches) in {("", "in_room"), ("already_searching", "")}
        assert RoomMember.objects.filter(player=player).exists() != (
            TicketMember.objects.filter(player=player).exists()
        )
        other = hall.players[2]
        teams = [[other.pk], [hall.players[3].pk]]
        free = lounge.open(4)
        sat, began = at_once(
            [
                joining(lounge, free, 2),
                told(start_match, ladder=hall.ladder, teams=teams),
            ]
        )
        assert began == ""
        assert sat in {"", "already_playing"}
        tend.tend_rooms()  # a match that a game has arranged takes the seat
        check_rooms()
        seated = RoomMember.objects.filter(live=True, player=other)
        assert not seated.exists()


def test_a_room_starts_once_whoever_presses_and_however_often() -> None:
    for _ in range(often(3, 20)):
        lounge = make_lounge(4, size=1)
        room = lounge.join(lounge.open(0), 1)
        host, pk = lounge.hall.players[0], room.pk
        begin = [told(start.start, room_id=pk, by=host)] * 6
        codes = Counter(at_once(begin))
        assert codes == {"": 1, "room_over": 5}
        assert Match.objects.filter(room=pk).count() == 1
        check_rooms()


def test_whoever_is_removed_while_coming_back_stays_out() -> None:
    for _ in range(often(3, 20)):
        lounge = make_lounge(6, size=2)
        room = lounge.join(lounge.open(0), 1)
        host, guest, pk = lounge.hall.players[0], lounge.hall.players[1], room.pk
        at_once(
            [
                told(lifecycle.remove, room_id=pk, by=host, player=guest.pk),
                *[joining(lounge, room, 1)] * 3,
                told(lifecycle.leave, room_id=pk, player=guest),
            ]
        )
        was_removed = RoomMember.objects.filter(room=pk, player=guest, removed=True).exists()
        assert not (was_removed and RoomMember.objects.filter(player=guest, live=True).exists())
        check_rooms()


def test_all_leave_at_once_and_the_room_is_closed() -> None:
    lounge = make_lounge(6, size=2)
    room = lounge.join(lounge.open(0), 1, 2, 3)
    at_once(
        [
            told(lifecycle.leave, room_id=room.pk, player=player)
            for player in lounge.hall.players[:4]
        ]
    )
    assert lounge.reload(room).state == "closed"
    check_rooms()
