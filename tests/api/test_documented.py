"""The script in docs/game-developers.md, word for word: what it needs is made, and while it waits the site works."""

import json
import re
import shlex
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from api.issuing import issue_key
from api.scopes import SERVER_SCOPES
from config.embedded.paths import PROJECT
from matchmaking.models import Queue
from matchmaking.sweep import run_queue
from ratings.models import Game, Match
from ratings.tasks import rate_due_tracks

TEXT = (PROJECT / "docs" / "game-developers.md").read_text(encoding="utf-8")
WHOLE_LINES = TEXT.replace("\\\n", "")
COMMANDS = re.findall(r"^ {4}\.venv/bin/python manage\.py (add_.+)$", WHOLE_LINES, re.MULTILINE)
SCRIPT = re.findall(r"^```python\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)[1]


@pytest.mark.django_db
def test_teams_play_from_the_party_to_the_rating(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(COMMANDS) == 4
    for command in COMMANDS:
        call_command(*shlex.split(command))
    key = issue_key(game=Game.objects.get(), name="docs", scopes=SERVER_SCOPES)[1]
    capsys.readouterr()

    def ask(method: str, path: str, body: Any = None) -> Any:
        said = json.dumps(body) if body is not None else ""
        answer = Client().generic(
            method,
            f"/api/v1/{path}",
            said,
            content_type="application/json",
            headers={"Authorization": f"Bearer {key}"},
        )
        assert answer.status_code < 300, answer.content
        return answer.json()

    def wait() -> None:
        run_queue(Queue.objects.get(slug="squads").pk)
        rate_due_tracks()

    exec(SCRIPT.replace("time.sleep(1)", "wait()"), {"ask": ask, "wait": wait})  # noqa: S102
    match = Match.objects.get()
    assert match.map == "Canyon"  # the other was vetoed
    assert set(match.participants.values_list("character", flat=True)) == {"Mage", ""}
    told = capsys.readouterr().out.splitlines()
    assert len(told) == 5
    assert sum("scored 1.0, moved +" in line for line in told) == 2
