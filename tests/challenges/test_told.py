"""What is told of a challenge counts as read once nothing is left to do about it, whichever way it came to its end."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from challenges import answer, make, meeting
from challenges.make import Wanted
from challenges.models import Challenge, ChallengeState
from challenges.settle import settle
from notifications.models import Delivery, Notice, Way
from notifications.tell import mark_done
from ratings.matches.decide import confirm_by_server
from ratings.matches.result import Result
from tests.matchmaking.hall import Hall, make_hall

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall() -> Hall:
    return make_hall(players=3)


def send(hall: Hall, **more: object) -> Challenge:
    with hall.at_now():
        wanted = Wanted(ladder=hall.ladder, **more)  # type: ignore[arg-type]
        return make.challenge(player=hall.players[0], other=hall.players[1], wanted=wanted)


def unread(hall: Hall) -> set[tuple[int, str]]:
    """What stands unread, by number of the player."""
    numbers = {player.pk: number for number, player in enumerate(hall.players)}
    rows = Notice.objects.filter(read_at=None).values_list("player", "kind")
    return {(numbers[player], kind) for player, kind in rows}


def decline(hall: Hall, made: Challenge) -> None:
    answer.decline(challenge_id=made.pk, player=hall.players[1])


def accept(hall: Hall, made: Challenge) -> None:
    answer.accept(challenge_id=made.pk, player=hall.players[1])


def withdraw(hall: Hall, made: Challenge) -> None:
    answer.withdraw(challenge_id=made.pk, player=hall.players[0])


def let_it_expire(hall: Hall, _made: Challenge) -> None:
    hall.wait(11 * 60)
    with hall.at_now():
        settle()


@pytest.mark.parametrize("end", [accept, decline, withdraw, let_it_expire])
@pytest.mark.parametrize("ahead", [None, 10])
def test_what_asked_for_an_answer(
    hall: Hall, end: Callable[[Hall, Challenge], None], ahead: int | None
) -> None:
    made = send(hall, at=ahead and hall.now + timedelta(minutes=ahead))
    asked = "challenge.made" if ahead is None else "appointment.proposed"
    assert unread(hall) == {(1, asked)}
    with hall.at_now():
        end(hall, made)
    assert asked not in {kind for _number, kind in unread(hall)}


def test_what_asked_to_come_once_the_match_begins_or_does_not(hall: Hall) -> None:
    made = send(hall)
    hall.wait(70)
    with hall.at_now():
        accept(hall, made)
    assert unread(hall) == {(0, "challenge.accepted")}
    with hall.at_now():
        begun = meeting.say_here(challenge_id=made.pk, player=hall.players[0])
    assert begun.state == ChallengeState.STARTED
    assert unread(hall) == set()
    assert begun.match_id is not None
    confirm_by_server(match_id=begun.match_id, result=Result(ranks=(0, 1)))
    later = send(hall, at=hall.now + timedelta(minutes=20))
    with hall.at_now():
        accept(hall, later)
    assert unread(hall) == {(0, "appointment.agreed")}
    with hall.at_now():
        answer.cancel(challenge_id=later.pk, player=hall.players[0])
    assert unread(hall) == {(1, "challenge.cancelled")}


def test_a_rematch_is_told_as_one(hall: Hall) -> None:
    made = send(hall)
    with hall.at_now():
        match = answer.accept(challenge_id=made.pk, player=hall.players[1]).match_id
        assert match is not None
        confirm_by_server(match_id=match, result=Result(ranks=(0, 1)))
        make.rematch(player=hall.players[1], match_id=match)
    assert unread(hall) == {(0, "challenge.rematch")}
    with hall.at_now():
        asked, is_others = make.rematch(player=hall.players[0], match_id=match)
        assert is_others
        answer.accept(challenge_id=asked.pk, player=hall.players[0])
    assert unread(hall) == set()


def test_nothing_of_it_is_sent_any_more(hall: Hall) -> None:
    made = send(hall)
    notice = Notice.objects.get()
    Delivery.objects.create(notice=notice, way=Way.MAIL, due_at=hall.now)
    about = f"challenge:{made.pk}"
    assert mark_done(["challenge.made"], about, [hall.players[0].pk]) == 0
    assert mark_done(["challenge.made"], about, [hall.players[1].pk]) == 1
    assert mark_done(["challenge.made"], about, [hall.players[1].pk]) == 0
    assert not Delivery.objects.exists()
