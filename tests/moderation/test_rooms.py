"""Rooms at the desk: seen and closed by moderators, with a reason that is told and kept."""

import pytest

from accounts.models import AuditEntry
from matchmaking.models import TicketMember
from notifications.models import Notice
from rooms.models import RoomMember, RoomState
from talk.models import Line, TalkRules
from talk.say import say
from tests.matchmaking.visiting import accounts, queue_page_of, text_of, words_of
from tests.moderation.office import RIGHTS, make_moderator, visit
from tests.rooms.lounge import make_lounge

pytestmark = pytest.mark.django_db(transaction=True)
MAY_CLOSE = f"{RIGHTS} close_room view_line"


def test_a_moderator_closes_a_room_and_all_in_it_are_told_why() -> None:
    lounge = make_lounge(size=2)
    anna, _berta, cleo = accounts(lounge.hall, "anna", "berta", "cleo")
    TalkRules.objects.create(game=lounge.hall.ladder.game)
    room = lounge.open(0, name="Evening")
    lounge.join(room, 1)
    with lounge.hall.at_now():
        say(kind="room", pk=room.pk, player=lounge.hall.players[1], text="Hello & insults")
    Line.objects.update(hidden_at=None)
    desk = visit(make_moderator("mona", MAY_CLOSE))
    assert "Evening" in words_of(desk, "/desk/rooms/")
    shown = words_of(desk, f"/desk/rooms/{room.pk}/")
    assert "Hello & insults" in shown
    assert "Berta" in shown
    assert room.code not in text_of(desk, f"/desk/rooms/{room.pk}/")
    close = f"/desk/rooms/{room.pk}/close/"
    assert desk.post(close, {"reason": ""}).status_code == 422
    assert desk.post(close, {"reason": "Insults."})["Location"] == "/desk/rooms/"
    assert lounge.reload(room).state == RoomState.CLOSED
    assert not RoomMember.objects.filter(live=True).exists()
    told = Notice.objects.filter(kind="room.closed")
    assert {one.player_id for one in told} == {one.pk for one in lounge.hall.players[:2]}
    assert "A moderator has closed the room “Evening”. Insults." in words_of(
        anna, "/notifications/"
    )
    entry = AuditEntry.objects.get(action="room.closed")
    assert (entry.actor.username if entry.actor else "", entry.note) == ("mona", "Insults.")
    assert desk.post(close, {"reason": "Again."}).status_code == 422
    assert "started or closed already" in words_of(desk, f"/desk/rooms/{room.pk}/")
    assert text_of(cleo, queue_page_of(lounge.hall))
    assert not TicketMember.objects.exists()


def test_closing_asks_for_its_own_right_and_talk_for_its() -> None:
    lounge = make_lounge(size=2)
    (anna,) = accounts(lounge.hall, "anna")
    TalkRules.objects.create(game=lounge.hall.ladder.game)
    room = lounge.open(0)
    with lounge.hall.at_now():
        say(kind="room", pk=room.pk, player=lounge.hall.players[0], text="Only for us")
    other = visit(make_moderator("otto"))
    for address in ("/desk/rooms/", f"/desk/rooms/{room.pk}/"):
        assert anna.get(address).status_code == 403
        assert other.get(address).status_code == 200
    shown = words_of(other, f"/desk/rooms/{room.pk}/")
    assert "Only for us" not in shown
    assert "Close the room" not in shown
    for client in (anna, other):
        assert client.post(f"/desk/rooms/{room.pk}/close/", {"reason": "No."}).status_code == 403
    assert lounge.reload(room).state == RoomState.OPEN
    assert "moderation desk" not in words_of(anna, f"/rooms/{room.pk}/")


def test_nobody_closes_a_room_with_an_own_player_in_it_where_another_could() -> None:
    lounge = make_lounge(size=2)
    room = lounge.open(0)
    mona = make_moderator("mona", MAY_CLOSE)
    make_moderator("otto", MAY_CLOSE)
    lounge.hall.players[0].user = mona
    lounge.hall.players[0].save()
    desk = visit(mona)
    assert "This room at the moderation desk" in words_of(desk, f"/rooms/{room.pk}/")
    answer = desk.post(f"/desk/rooms/{room.pk}/close/", {"reason": "Mine."})
    assert answer.status_code == 422
    assert lounge.reload(room).state == RoomState.OPEN
