"""`manage.py demo_season`: a whole league, rated by the engine, once."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from demo.models import SimulatedPlayer
from demo.season.season import SeasonError, make_season
from matchmaking.models import Queue
from ratings.models import (
    Game,
    Ladder,
    Match,
    MatchState,
    Mode,
    Player,
    Report,
)

pytestmark = pytest.mark.django_db

SMALL = {"players": 50, "matches": 900, "days": 30.0, "seed": 5}


def season(**options: object) -> str:
    """What the command printed."""
    told = StringIO()
    call_command("demo_season", stdout=told, **{**SMALL, **options})
    return told.getvalue()


def test_it_makes_a_rated_league() -> None:
    assert "50 players, 900 matches" in season()
    game = Game.objects.get(slug="demo")
    assert game.simulated
    assert Player.objects.filter(game=game).count() == 50
    assert SimulatedPlayer.objects.count() == 50
    assert {ladder.mode for ladder in Ladder.objects.filter(game=game)} == set(Mode)
    assert Queue.objects.filter(is_open=True, ladder__game=game).count() == 5


def test_a_disputed_match_has_the_reports_that_differ() -> None:
    season(matches=2000)
    disputed = Match.objects.filter(state=MatchState.DISPUTED)
    assert disputed.exists()
    assert Report.objects.count() == 2 * disputed.count()


def test_a_second_time_changes_nothing() -> None:
    season()
    before = list(Match.objects.order_by("pk").values_list("pk", "ladder_seq"))
    assert "already exists" in season(seed=6)
    assert list(Match.objects.order_by("pk").values_list("pk", "ladder_seq")) == before
    assert Player.objects.count() == 50


def test_a_league_in_use_is_left_alone() -> None:
    Game.objects.create(slug="chess", name="Chess")
    with pytest.raises(CommandError, match="already holds a game"):
        season()
    assert not SimulatedPlayer.objects.exists()
    assert "900 matches" in season(beside=True)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"players": 3}, "players = 3: must be 4 or more"),
        ({"days": 0.5}, "days = 0.5: must be from 1 to 3650"),
        ({"matches": 0}, "matches = 0: must be from 1 to 48000"),
        ({"matches": 100_000}, "matches = 100000: must be from 1 to 48000"),
    ],
)
def test_an_impossible_season_is_refused(wrong: dict[str, int], words: str) -> None:
    with pytest.raises(SeasonError, match=words):
        make_season(**{**SMALL, **wrong})  # type: ignore[arg-type]
    assert not Game.objects.exists()
