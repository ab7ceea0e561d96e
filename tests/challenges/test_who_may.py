"""Who may challenge whom, and what those learn who may not."""

from datetime import timedelta

import pytest
from django.test import Client

from accounts.models import User
from challenges import answer, make, meeting
from challenges.make import Wanted
from challenges.models import Challenge, ChallengeState
from challenges.pages.cards import live_of
from challenges.refusals import CannotChallengeError
from matchmaking.avoid_list import avoid
from matchmaking.conduct.refusals import CoolingOffError
from matchmaking.models import ConductStanding
from notifications.models import Notice
from people.blocks import block
from ratings.models import Match, Player, SanctionKind, SuspendedFrom
from ratings.sanctions import SuspendedError, impose
from tests.matchmaking.hall import Hall, make_hall

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall() -> Hall:
    return make_hall(players=5)


def send(hall: Hall, by: int = 0, to: int = 1) -> Challenge:
    with hall.at_now():
        wanted = Wanted(ladder=hall.ladder)
        return make.challenge(player=hall.players[by], other=hall.players[to], wanted=wanted)


def accept(hall: Hall, made: Challenge, who: int = 1) -> Challenge:
    with hall.at_now():
        return answer.accept(challenge_id=made.pk, player=hall.players[who])


def suspend(player: Player) -> None:
    impose(
        player=player,
        kind=SanctionKind.SUSPENDED,
        suspended_from=SuspendedFrom.SEARCHING,
        reason="Rude.",
        by=None,
    )


def reason(hall: Hall, by: int, to: int) -> str:
    with pytest.raises(CannotChallengeError) as refused:
        send(hall, by, to)
    return f"{refused.value} {sorted(refused.value.extra)}"


def test_nobody_is_told_why(hall: Hall) -> None:
    block(player=hall.players[1], other=hall.players[0])
    block(player=hall.players[0], other=hall.players[2])
    assert len({reason(hall, 0, to) for to in (1, 2)}) == 1
    made = send(hall, 0, 4)
    block(player=hall.players[4], other=hall.players[0])
    with pytest.raises(CannotChallengeError):
        accept(hall, made, 4)


@pytest.mark.parametrize("how", ["suspended", "cooling off"])
def test_who_may_not_play_can_be_asked_and_finds_out_alone(hall: Hall, how: str) -> None:
    """Else whoever asks would know."""
    if how == "suspended":
        suspend(hall.players[1])
    else:
        until = hall.now + timedelta(hours=1)
        ConductStanding.objects.create(player=hall.players[1], cooling_until=until, as_of=hall.now)
    refusal = SuspendedError if how == "suspended" else CoolingOffError
    with pytest.raises(refusal):
        send(hall, 1, 2)
    made = send(hall, 0, 1)
    with pytest.raises(refusal):
        accept(hall, made)
    made.refresh_from_db()
    assert made.state == ChallengeState.OPEN
    assert not Match.objects.exists()


def test_who_cools_off_agrees_to_a_time_afterwards(hall: Hall) -> None:
    until = hall.now + timedelta(minutes=30)
    ConductStanding.objects.create(player=hall.players[1], cooling_until=until, as_of=hall.now)
    for minutes, may in ((29, False), (30, True)):
        wanted = Wanted(ladder=hall.ladder, at=hall.now + timedelta(minutes=minutes))
        with hall.at_now():
            made = make.challenge(player=hall.players[0], other=hall.players[1], wanted=wanted)
        if may:
            accept(hall, made)
        else:
            with pytest.raises(CoolingOffError):
                accept(hall, made)
            with hall.at_now():
                answer.withdraw(challenge_id=made.pk, player=hall.players[0])
        made.refresh_from_db()
    assert made.state == ChallengeState.ACCEPTED


def test_whoever_cools_off_is_not_there(hall: Hall) -> None:
    """The other would be told to wait for nothing."""
    wanted = Wanted(ladder=hall.ladder, at=hall.now + timedelta(minutes=20))
    with hall.at_now():
        made = make.challenge(player=hall.players[0], other=hall.players[1], wanted=wanted)
    accept(hall, made)
    until = hall.now + timedelta(minutes=30)
    ConductStanding.objects.create(player=hall.players[0], cooling_until=until, as_of=hall.now)
    hall.wait(17 * 60)
    with hall.at_now():
        with pytest.raises(CoolingOffError):
            meeting.say_here(challenge_id=made.pk, player=hall.players[0])
        meeting.say_here(challenge_id=made.pk, player=hall.players[1])
    made.refresh_from_db()
    assert made.challenger_here_at is None
    assert made.challenged_here_at is not None


def test_who_is_avoided_may_challenge_and_the_other_is_not_called(hall: Hall) -> None:
    avoid(player=hall.players[1], other=hall.players[0])
    made = send(hall)
    assert not Notice.objects.exists()
    account = User.objects.create_user("Berta")
    hall.players[1].user = account
    hall.players[1].save()
    client = Client()
    client.force_login(account)
    with hall.at_now():
        assert "challenges you" not in client.get("/").content.decode()
        assert f"/challenges/{made.pk}/" in client.get("/challenges/").content.decode()
    assert accept(hall, made).state == ChallengeState.STARTED


def test_who_cools_off_after_coming_leaves_the_other_to_wait_and_told_so(hall: Hall) -> None:
    wanted = Wanted(ladder=hall.ladder, at=hall.now + timedelta(minutes=20))
    with hall.at_now():
        made = make.challenge(player=hall.players[0], other=hall.players[1], wanted=wanted)
    accept(hall, made)
    hall.wait(17 * 60)
    with hall.at_now():
        meeting.say_here(challenge_id=made.pk, player=hall.players[0])
        until = hall.now + timedelta(minutes=4)
        ConductStanding.objects.create(player=hall.players[0], cooling_until=until, as_of=hall.now)
        with pytest.raises(CannotChallengeError):
            meeting.say_here(challenge_id=made.pk, player=hall.players[1])
        own = {player.pk for player in hall.players[:2]}
        assert [card.stage for card in live_of(own, hall.now)] == ["both"]
    hall.wait(4 * 60)
    with hall.at_now():
        meeting.start_if_both(made.pk)
    made.refresh_from_db()
    assert made.state == ChallengeState.STARTED
