"""Sides of matches that rooms become."""

import pytest

from ratings.models import Participant
from tests.rooms.lounge import make_lounge

pytestmark = pytest.mark.django_db


@pytest.mark.full
def test_the_same_players_in_the_same_teams_do_not_always_play_the_same_side() -> None:
    lounge = make_lounge(size=2)
    first = set()
    for _ in range(12):
        room = lounge.open(0, start_rule="full")
        lounge.join(room, 1, 2, 3)
        match = lounge.reload(room).match
        assert match is not None
        own = Participant.objects.get(match=match, player=lounge.hall.players[0])
        first.add(own.team)
        Participant.objects.filter(match=match).update(playing=False)
    assert first == {0, 1}
