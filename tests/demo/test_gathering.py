"""Simulated players gather in rooms of their own on a running site, and play what comes of it."""

import pytest

from demo.play import crowd, gathering
from ratings.models import MatchState, Participant
from rooms.models import Room
from talk.models import Line
from tests.demo import test_live_play
from tests.demo.test_live_play import League

pytestmark = pytest.mark.django_db(transaction=True)
league = test_live_play.league


def test_they_open_rooms_fill_them_and_play(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crowd, "_GATHERS", 1.0)
    monkeypatch.setattr(crowd, "_SPARE", 12)
    monkeypatch.setattr(gathering, "_STAYS", 3000.0)
    monkeypatch.setattr(gathering, "_WRITES", 1.0)
    league.online, league.is_social = 2, True
    started = Room.objects.filter(state="started", match__state=MatchState.CONFIRMED)
    filtered = Room.objects.exclude(filters={})
    written = Line.objects.filter(room__in=started)
    league.run(lambda: written.exists() and filtered.exists())
    room = started[0]
    assert room.name in gathering.NAMES
    assert Participant.objects.filter(match=room.match_id).count() == room.seats
