"""Nobody is in two places: seats and searches that come to be while the match of a challenge begins."""

from collections.abc import Callable

import pytest

from challenges import answer, make, meeting
from challenges.make import Wanted
from challenges.models import Challenge, ChallengeState
from challenges.refusals import CannotChallengeError
from matchmaking.models import Offence, OffenceKind, Ticket
from matchmaking.models.tickets import LIVE
from ratings.models import Match
from rooms import lifecycle
from tests.matchmaking.hall import Hall, make_hall

pytestmark = pytest.mark.django_db(transaction=True)


def challenged(hall: Hall) -> Challenge:
    first, second = hall.players[:2]
    with hall.at_now():
        return make.challenge(player=first, other=second, wanted=Wanted(ladder=hall.ladder))


def meanwhile(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> list[int]:
    """Let something happen once, just after the searches of both have ended; how many matches there were each time."""
    seen: list[int] = []
    end_searches = meeting._end_searches

    def end(players: list[int], asked_by: int | None) -> None:
        end_searches(players, asked_by)
        seen.append(Match.objects.count())
        if len(seen) == 1:
            act()

    monkeypatch.setattr(meeting, "_end_searches", end)
    return seen


def test_a_seat_that_is_taken_as_the_match_begins_refuses_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hall = make_hall(players=2)
    made = challenged(hall)
    first, second = hall.players[:2]

    def sit() -> None:
        lifecycle.open_room(player=first, ladder=hall.ladder, settings={"name": "Room"})

    meanwhile(monkeypatch, sit)
    with hall.at_now(), pytest.raises(CannotChallengeError):
        answer.accept(challenge_id=made.pk, player=second)
    made.refresh_from_db()
    assert made.state == ChallengeState.ACCEPTED
    assert not Match.objects.exists()


def offered(hall: Hall, *numbers: int) -> None:
    """Let these search and be asked whether they accept their match."""
    hall.join(*numbers)
    hall.sweep()
    assert hall.states(*numbers) == ["offered"] * len(numbers)


def test_whoever_comes_to_a_challenge_out_of_an_offer_declines_that() -> None:
    hall = make_hall(players=3)
    made = challenged(hall)
    offered(hall, 1, 2)
    with hall.at_now():
        answer.accept(challenge_id=made.pk, player=hall.players[1])
    made.refresh_from_db()
    assert made.state == ChallengeState.STARTED
    (offence,) = Offence.objects.all()
    assert (offence.player_id, offence.kind) == (hall.players[1].pk, OffenceKind.DECLINED)


def test_nobody_takes_another_out_of_an_offer_by_accepting_a_challenge() -> None:
    hall = make_hall(players=3)
    made = challenged(hall)
    offered(hall, 0, 2)
    with hall.at_now():
        assert answer.accept(challenge_id=made.pk, player=hall.players[1]).match is None
    made.refresh_from_db()
    assert made.state == ChallengeState.ACCEPTED
    assert hall.states(0, 2) == ["offered", "offered"]
    hall.decline(0)
    with hall.at_now():
        meeting.say_here(challenge_id=made.pk, player=hall.players[1])
    made.refresh_from_db()
    assert made.state == ChallengeState.STARTED


def test_a_search_that_begins_as_the_match_does_ends_before_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hall = make_hall(players=2)
    made = challenged(hall)
    seen = meanwhile(monkeypatch, lambda: hall.join(0))
    with hall.at_now():
        answer.accept(challenge_id=made.pk, player=hall.players[1])
    made.refresh_from_db()
    assert made.state == ChallengeState.STARTED
    assert seen == [0, 0]  # both times before there was a match
    assert not Ticket.objects.filter(state__in=LIVE).exists()
