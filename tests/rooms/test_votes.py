"""Votes for maps on the page of a room."""

import re

import pytest

from rooms import lifecycle
from tests.matchmaking.visiting import text_of
from tests.rooms.lounge import make_lounge
from tests.rooms.test_pages import signed_in

pytestmark = pytest.mark.django_db


def test_the_map_that_one_has_voted_for_is_marked() -> None:
    lounge = make_lounge(size=1, settings={"maps": {"names": "River; Lake"}})
    (host,) = signed_in(lounge, 0)
    room = lounge.open(0, map_choice="vote")

    def marks() -> dict[str, str]:
        button = r'id="vote-(\w+)" type="submit"\s+aria-pressed="(\w+)"'
        return dict(re.findall(button, text_of(host, f"/rooms/{room.pk}/")))

    assert marks() == {"lake": "false", "river": "false"}
    lifecycle.vote_for(room_id=room.pk, player=lounge.hall.players[0], map_name="River")
    assert marks() == {"lake": "false", "river": "true"}
