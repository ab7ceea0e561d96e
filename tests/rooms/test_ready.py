"""Being ready in a room: for these teams, and for no others."""

import pytest

from rooms import lifecycle
from rooms.models import RoomMember
from tests.rooms.lounge import Lounge, make_lounge

pytestmark = pytest.mark.django_db


def test_who_changes_seats_lets_all_be_ready_anew() -> None:
    lounge = make_lounge(size=2)
    room = lounge.open(0, start_rule="ready")
    for number in (1, 2):
        lounge.join(room, number)
    with lounge.hall.at_now():
        for player in lounge.hall.players[:3]:
            lifecycle.set_ready(room_id=room.pk, player=player, is_ready=True)
        lifecycle.sit_at(room_id=room.pk, player=lounge.hall.players[0], seat=3)
    lounge.join(room, 3)
    with lounge.hall.at_now():
        lifecycle.set_ready(room_id=room.pk, player=lounge.hall.players[3], is_ready=True)
    assert lounge.reload(room).state == "open"
    assert RoomMember.objects.filter(room=room, is_ready=True).count() == 1


def test_who_comes_back_to_another_seat_lets_all_be_ready_anew() -> None:
    """By looking on for a moment, or leaving: two who changed places so played in teams to which nobody had agreed."""
    for goes in (Lounge.watch, Lounge.leave):
        lounge = make_lounge(size=2)
        room = lounge.open(0, start_rule="ready")
        lounge.join(room, 1, 2, 3)
        lounge.ready(room, 0, 3)
        goes(lounge, room, 1)
        goes(lounge, room, 2)
        lounge.join(room, 1, seat=2)
        lounge.join(room, 2, seat=1)
        assert lounge.ready(room, 1, 2).state == "open"
        assert lounge.ready(room, 0, 3).state == "started"


def test_a_newcomer_leaves_others_ready() -> None:
    lounge = make_lounge(size=2)
    room = lounge.open(0, start_rule="ready")
    lounge.join(room, 1)
    lounge.ready(room, 0, 1)
    lounge.join(room, 2)
    assert RoomMember.objects.filter(room=room, is_ready=True).count() == 2


def test_who_takes_a_seat_that_was_given_up_plays_only_with_those_who_know() -> None:
    """Two of three were ready for a match with somebody who has gone since; another comes and is ready at once."""
    for goes in (Lounge.watch, Lounge.leave):
        lounge = make_lounge(size=2)
        room = lounge.open(0, start_rule="ready")
        lounge.join(room, 1, 2, 3)
        lounge.ready(room, 0, 2, 3)
        goes(lounge, room, 1)
        lounge.join(room, 4)
        assert lounge.ready(room, 4).state == "open"
        assert lounge.ready(room, 0, 2, 3).state == "started"
