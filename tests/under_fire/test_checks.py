"""What the queries after a trial let pass, and what they find."""

from itertools import chain

import pytest
from django.db import connection

from ratings.matches.report import report
from ratings.matches.start import start_match
from ratings.models import Match, MatchState, Outcome
from tests.ratings.arena import make_arena
from tests.under_fire.checks import PLAY

pytestmark = pytest.mark.django_db
AGAINST = PLAY["confirmed against the word of a side"]


def wrongs() -> int:
    with connection.cursor() as cursor:
        cursor.execute(AGAINST)
        number: int = cursor.fetchone()[0]
    return number


def play(words: list[list[Outcome]]) -> Match:
    """A match of these teams, whose players say these words one after another."""
    arena = make_arena(sum(map(len, words)), team_size=len(words[0]))
    players = iter(player.pk for player in arena.players)
    teams = [[next(players) for _ in team] for team in words]
    match = start_match(ladder=arena.ladder, teams=teams)
    for player, word in zip(chain(*teams), chain(*words), strict=True):
        match = report(match_id=match.pk, player_id=player, outcome=word)
    return match


@pytest.mark.parametrize(
    "words",
    [
        [[Outcome.LOST], [Outcome.WON]],
        [[Outcome.LOST, Outcome.WON], [Outcome.WON, Outcome.WON]],
        [[Outcome.WON, Outcome.LOST, Outcome.LOST], [Outcome.WON, Outcome.WON, Outcome.WON]],
    ],
)
def test_whoever_is_outvoted_is_not_wronged(words: list[list[Outcome]]) -> None:
    assert play(words).state == MatchState.CONFIRMED
    assert wrongs() == 0
    Match.objects.get().participants.filter(team=0).update(rank=0)
    Match.objects.get().participants.filter(team=1).update(rank=1)
    assert wrongs() > 0
