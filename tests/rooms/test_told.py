"""What players are told of their rooms, and what of it is done with."""

import pytest

from accounts.models import User
from notifications.models import Notice
from rooms import lifecycle, start
from rooms.models import Room
from tests.rooms.lounge import Lounge, make_lounge

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("declared")]


def drafting(size: int = 2) -> tuple[Lounge, Room]:
    """A room of players with accounts whose captains pick."""
    lounge = make_lounge(size=size)
    for number, player in enumerate(lounge.hall.players):
        player.user = User.objects.create_user(f"user-{number}")
        player.save()
    lounge.hall.rate({number: 1000.0 + 100 * number for number in range(4)})
    room = lounge.join(lounge.open(0, team_choice="draft"), 1, 2, 3)
    return lounge, lounge.start(room, 1, 0)


def turns() -> list[int]:
    """Whom a notice says that it is their turn."""
    return list(Notice.objects.filter(kind="room.turn").values_list("player", flat=True))


def test_a_turn_is_told_to_one_and_done_with_the_draft() -> None:
    lounge, room = drafting()
    players = lounge.hall.players
    assert turns() == [players[0].pk]
    room = lounge.pick(room, 0, 2)
    assert turns() == [players[1].pk]
    assert lounge.pick(room, 1, 3).state == "started"
    assert turns() == []


@pytest.mark.parametrize("by", ["leaving", "closing"])
def test_a_turn_is_done_when_there_is_no_draft_any_more(by: str) -> None:
    lounge, room = drafting()
    assert turns()
    if by == "leaving":
        assert lounge.leave(room, 0).state == "open"
    else:
        with lounge.hall.at_now():
            lifecycle.close_room(room_id=room.pk, by=lounge.hall.players[0])
    assert turns() == []
    assert start.whose_turn(lounge.reload(room), []) is None
