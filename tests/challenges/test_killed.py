"""Processes killed while a challenge is accepted: afterwards one match begins, or none has and nothing is lost."""

import os
import signal

import pytest
from django.db import connection

from challenges import answer, make, meeting
from challenges.make import Wanted
from challenges.models import Challenge, ChallengeState
from challenges.settle import settle
from matchmaking.models import Ticket
from matchmaking.models.tickets import LIVE
from ratings.models import Match, Player
from tests.matchmaking.hall import make_hall
from tests.processes import running

pytestmark = pytest.mark.django_db(transaction=True)


def accept_and_die(challenge: int, player: int, step: int) -> None:
    """Accept a challenge, and die at one of the statements on the way."""
    left = [step]

    def die_in_time(execute: object, sql: str, *rest: object) -> object:
        left[0] -= 1
        if left[0] <= 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return execute(sql, *rest)  # type: ignore[operator]

    with connection.execute_wrapper(die_in_time):
        answer.accept(challenge_id=challenge, player=Player.objects.get(pk=player))


@pytest.mark.full
@pytest.mark.parametrize("step", [3, 8, 13, 18, 23, 28, 33])
def test_whenever_it_dies_there_is_one_match_at_the_end(step: int) -> None:
    hall = make_hall(players=2)
    first, second = hall.players
    made = make.challenge(player=first, other=second, wanted=Wanted(ladder=hall.ladder))
    with running(accept_and_die, made.pk, second.pk, step) as process:
        process.wait()
    assert Match.objects.count() <= 1
    settle()
    made.refresh_from_db()
    if made.state == ChallengeState.OPEN:  # nothing had been committed
        meeting.note_seen([first.pk])
        Challenge.objects.update(challenger_seen_at=made.created_at)
        answer.accept(challenge_id=made.pk, player=second)
    made.refresh_from_db()
    assert made.state == ChallengeState.STARTED
    assert Match.objects.count() == 1
    assert not Ticket.objects.filter(state__in=LIVE).exists()
