"""`manage.py demo_season` where other games are, or with impossible numbers; else see `test_season_made.py`."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from demo.models import SimulatedPlayer
from demo.season.season import SeasonError, make_season
from ratings.models import Game

pytestmark = pytest.mark.django_db

SMALL = {"players": 50, "matches": 900, "days": 30.0, "seed": 5}


def season(**options: object) -> str:
    """What the command printed."""
    told = StringIO()
    call_command("demo_season", stdout=told, **{**SMALL, **options})
    return told.getvalue()


def test_a_league_in_use_is_left_alone() -> None:
    Game.objects.create(slug="chess", name="Chess")
    with pytest.raises(CommandError, match="already holds a game"):
        season()
    assert not SimulatedPlayer.objects.exists()
    assert "60 matches" in season(beside=True, players=12, matches=60)


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
