"""Talk in rooms: of those who are there, and of nobody who was sent away."""

from datetime import timedelta

import pytest
from django.db.models import F

from rooms.models import Room, RoomMember
from talk.models import Line, TalkRules
from tests.rooms.lounge import make_lounge
from tests.rooms.test_pages import signed_in, text_of

pytestmark = pytest.mark.django_db


def test_those_in_a_room_write_to_each_other_until_one_is_sent_away() -> None:
    lounge = make_lounge(size=2)
    host, guest = signed_in(lounge, 0, 1)
    asked = {"name": "Evening", "category": "serious", "access": "open", "start_rule": "host"}
    asked["team_choice"] = "seated"
    host.post(f"/rooms/open/{lounge.hall.ladder.slug}/", asked)
    room = Room.objects.get()
    talk = f"/talk/room/{room.pk}/"
    assert talk not in text_of(host, f"/rooms/{room.pk}/")
    TalkRules.objects.create(game=room.game)
    assert talk in text_of(host, f"/rooms/{room.pk}/")
    assert talk not in text_of(guest, f"/rooms/{room.pk}/")  # who is not in it yet
    assert guest.get(talk).status_code == 404
    host.post(talk, {"text": "Anybody there?"})
    # All of a test is one moment to the database.
    RoomMember.objects.update(joined_at=F("joined_at") - timedelta(minutes=2))
    Line.objects.update(said_at=F("said_at") - timedelta(minutes=1))
    guest.post(f"/rooms/{room.pk}/join/")
    guest.post(talk, {"text": "Me"})
    assert "Me" in text_of(host, talk)
    assert "Anybody there?" not in text_of(guest, talk)  # said before
    host.post(f"/rooms/{room.pk}/remove/", {"player": lounge.hall.players[1].pk})
    assert guest.get(talk).status_code == 404
    assert guest.post(talk, {"text": "Why?"}).status_code == 404


def test_muting_beside_a_room_leads_back_to_the_room() -> None:
    lounge = make_lounge(size=1)
    host, guest = signed_in(lounge, 0, 1)
    room = lounge.join(lounge.open(0), 1)
    TalkRules.objects.create(game=room.game)
    talk, page = f"/talk/room/{room.pk}/", f"/rooms/{room.pk}/"
    RoomMember.objects.update(joined_at=F("joined_at") - timedelta(minutes=2))
    guest.post(talk, {"text": "noise"})
    beside = {"HX-Request": "true", "HX-Current-URL": f"http://testserver{page}"}
    muting = text_of(host, talk, headers=beside).split('name="back" value="')[1].split('"')[0]
    anchor = f"#talk-frame-room-{room.pk}"
    assert muting == f"{page}{anchor}"
    assert f'id="{anchor[1:]}"' in text_of(host, page)
    assert f'id="{anchor[1:]}"' in text_of(host, talk)
    # Whoever mutes once more is at the anchor already.
    again = {**beside, "HX-Current-URL": f"http://testserver{muting}"}
    assert f'value="{muting}"' in text_of(host, talk, headers=again)
    answer = host.post(f"/talk/muted/{lounge.hall.players[1].pk}/", {"back": muting})
    assert answer["Location"] == muting
    elsewhere = {**beside, "HX-Current-URL": "https://elsewhere.example/"}
    assert "elsewhere" not in text_of(guest, talk, headers=elsewhere)
