"""An appointment that one of the two missed while the other came: points by the operator's weight, or none."""

from datetime import timedelta

import pytest

from challenges import answer, limits, make, meeting
from challenges.make import Wanted
from challenges.models import Challenge, ChallengeState
from challenges.settle import settle
from matchmaking.models import ConductRules, ConductStanding, Offence, OffenceKind
from tests.matchmaking.hall import Hall, make_hall

pytestmark = pytest.mark.django_db


def hall_with_weight(points: float) -> Hall:
    hall = make_hall()
    ConductRules.objects.create(game=hall.ladder.game, missed=points)
    return hall


def appointment(hall: Hall) -> Challenge:
    """Between players 0 and 1, in an hour."""
    with hall.at_now():
        wanted = Wanted(ladder=hall.ladder, at=hall.now + timedelta(hours=1))
        made = make.challenge(player=hall.players[0], other=hall.players[1], wanted=wanted)
        return answer.accept(challenge_id=made.pk, player=hall.players[1])


def come(hall: Hall, made: Challenge, number: int) -> None:
    with hall.at_now():
        meeting.say_here(challenge_id=made.pk, player=hall.players[number])


def missed() -> list[tuple[int, float]]:
    found = Offence.objects.filter(kind=OffenceKind.MISSED)
    return list(found.values_list("player", "points"))


@pytest.mark.parametrize("came", [0, 1])
def test_who_does_not_come_has_points_once(came: int) -> None:
    hall = hall_with_weight(0.5)
    made = appointment(hall)
    hall.wait(3600)
    come(hall, made, came)
    hall.wait(limits.LATE_BY.total_seconds())
    for _ in range(2):
        with hall.at_now():
            settle()
    made.refresh_from_db()
    assert made.state == ChallengeState.MISSED
    other = hall.players[1 - came].pk
    assert missed() == [(other, 0.5)]
    assert ConductStanding.objects.get(player=other).score == 0.5


@pytest.mark.parametrize(("weight", "came"), [(0.0, [0]), (0.5, [])])
def test_nobody_has_any_without_a_weight_nor_where_nobody_came(
    weight: float, came: list[int]
) -> None:
    hall = hall_with_weight(weight)
    made = appointment(hall)
    hall.wait(3600)
    for number in came:
        come(hall, made, number)
    hall.wait(limits.LATE_BY.total_seconds())
    with hall.at_now():
        settle()
    made.refresh_from_db()
    assert made.state == ChallengeState.MISSED
    assert missed() == []


@pytest.mark.parametrize(("late", "by", "counts"), [(60, 1, True), (60, 0, False), (-60, 1, False)])
def test_calling_off_once_the_other_waits_is_missing_it(late: float, by: int, counts: bool) -> None:
    hall = hall_with_weight(0.5)
    made = appointment(hall)
    hall.wait(3600 + late)
    come(hall, made, 0)
    with hall.at_now():
        answer.cancel(challenge_id=made.pk, player=hall.players[by])
    assert missed() == ([(hall.players[1].pk, 0.5)] if counts else [])
