"""Simulated players challenge each other on a running site, and answer what people ask of them."""

import pytest

from challenges import make, meeting
from challenges.make import Wanted
from challenges.models import Challenge, ChallengeState
from demo.models import SimulatedPlayer
from demo.play import challenging, crowd, gathering
from demo.play.asking_people import Asked, see_asked
from people.befriend import befriend
from people.models import Friendship
from ratings.models import Ladder, MatchState, Participant, Player
from rooms.lifecycle import open_room
from rooms.models import Room, RoomMember
from tests.demo import test_live_play
from tests.demo.test_live_play import League, make_person

pytestmark = pytest.mark.django_db(transaction=True)
league = test_live_play.league


@pytest.fixture
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """They challenge all the time, and nobody declines."""
    monkeypatch.setattr(crowd, "_SPARE", 2)
    monkeypatch.setattr(challenging, "_ACCEPTS", 1.0)


def simulated() -> Player:
    row = SimulatedPlayer.objects.filter(activity__gt=0).select_related("player").first()
    assert row is not None
    return row.player


@pytest.mark.usefixtures("_quick")
def test_they_challenge_each_other_and_play_again(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crowd, "_CHALLENGES", 1.0)
    monkeypatch.setattr(challenging, "_AGAIN", 1.0)
    league.online = 2
    started = Challenge.objects.filter(state=ChallengeState.STARTED)
    again = started.filter(rematch_of__isnull=False, match__state=MatchState.CONFIRMED)
    league.run(again.exists)
    second = again[0]
    first, other = (
        list(
            Participant.objects.filter(match=one).order_by("team").values_list("player", flat=True)
        )
        for one in (second.rematch_of_id, second.match_id)
    )
    assert len(first) == 2
    assert first == other[::-1]


@pytest.mark.usefixtures("_quick")
def test_what_people_ask_is_answered(league: League, monkeypatch: pytest.MonkeyPatch) -> None:
    """A challenge, friendship, and company in a room; each by those who were asked."""
    monkeypatch.setattr(gathering, "_STAYS", 3000.0)
    league.online = 2
    ada, eve, other = make_person("Ada"), make_person("Eve"), simulated()
    duel = Ladder.objects.get(slug="demo-duel")
    made = make.challenge(player=ada, other=other, wanted=Wanted(ladder=duel))
    befriend(player=ada, other=other)
    room = open_room(player=eve, ladder=duel, settings={"name": "Come", "start_rule": "full"})
    asked = see_asked()
    assert asked.challenges == [(made.pk, "demo-duel", other.external_id)]
    assert asked.friends == [(other.external_id, ada.pk)]
    assert asked.rooms == [(room.pk, "demo-duel")]

    def is_answered() -> bool:
        made.refresh_from_db()
        if made.state == ChallengeState.ACCEPTED:
            meeting.say_here(challenge_id=made.pk, player=ada)
        friends = Friendship.objects.get(low=min(ada.pk, other.pk), high=max(ada.pk, other.pk))
        filled = Room.objects.filter(pk=room.pk, match__isnull=False)
        return bool(made.state == ChallengeState.STARTED and friends.agreed_at and filled.exists())

    league.run(is_answered)
    assert see_asked() == Asked()
    guests = RoomMember.objects.filter(room=room, seat__isnull=False).exclude(player=eve)
    assert SimulatedPlayer.objects.filter(player__in=guests.values("player")).exists()
