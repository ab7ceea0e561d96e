"""Two lines of one player at the same moment are counted one after the other."""

import pytest
from django.db import connection

from foundation.refusals import RefusedError
from talk.models import Line, TalkRules
from talk.say import say
from tests.at_once import at_once
from tests.matchmaking.squads import gather, make_team_hall

pytestmark = pytest.mark.django_db(transaction=True)


def test_nobody_is_faster_than_the_rules() -> None:
    hall = make_team_hall(2)
    TalkRules.objects.create(game=hall.ladder.game, lines_a_minute=3)
    party = gather(hall, 0)

    def speak() -> str:
        try:
            say(kind="party", pk=party.pk, player=hall.players[0], text="Hello")
        except RefusedError as refusal:
            return refusal.code
        finally:
            connection.close()
        return "said"

    outcomes = at_once([speak] * 8)
    assert sorted(map(str, outcomes)) == ["said"] * 3 + ["talks_too_fast"] * 5
    assert Line.objects.count() == 3
