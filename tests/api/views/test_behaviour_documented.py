"""The example in docs/game-developers.md of telling behaviour and asking for an estimate, word for word."""

import re
import shlex

import pytest
from django.core.management import call_command
from pytest_django.live_server_helper import LiveServer

from api.auth.issue import issue_key
from api.auth.scopes import SERVER_SCOPES
from config.embedded.paths import PROJECT
from ratings.behaviour.learn import learn_track
from ratings.models import Behaviour, Match, Player
from tests.ratings.behaviour.told import told_arena

CHAPTER = (
    (PROJECT / "docs" / "game-developers.md")
    .read_text(encoding="utf-8")
    .split("## First estimates from behaviour\n")[1]
)
DECLARED = CHAPTER.split("```sh\n")[1].split("```")[0]
EXAMPLE = CHAPTER.split("```python\n")[1].split("```")[0]


@pytest.mark.django_db(transaction=True)
def test_the_example_for_game_developers_runs(
    live_server: LiveServer, capsys: pytest.CaptureFixture[str]
) -> None:
    arena, track = told_arena()
    for line in DECLARED.splitlines():
        call_command(*shlex.split(line.replace("my-game", arena.game.slug))[2:])
    assert arena.game.features.count() == 4
    learn_track(track.pk)
    match = Match.objects.latest("pk")
    for one, name in zip(match.participants.all(), ("ann-17", "ben-17"), strict=True):
        Player.objects.filter(pk=one.player_id).update(external_id=name)
    _key, secret = issue_key(game=arena.game, name="example", scopes=SERVER_SCOPES)
    names = {"SITE": live_server.url, "KEY": secret, "match": match.pk, "ladder": "go"}
    capsys.readouterr()
    exec(EXAMPLE, names)  # noqa: S102 - the text of the docs
    names["api"].close()  # type: ignore[attr-defined]
    assert re.fullmatch(r"\d+ ± \d+, by 1 matches\n", capsys.readouterr().out)
    kept = Behaviour.objects.filter(participant__match=match)
    told = dict(kept.values_list("participant__player__external_id", "features"))
    assert told == {
        "ann-17": {"accuracy": 0.41, "damage_per_minute": 612.5},
        "ben-17": {"accuracy": 0.28},
    }
