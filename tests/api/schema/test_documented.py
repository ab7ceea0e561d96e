"""The script in docs/game-developers.md, word for word (what it needs is made, and while it waits the site works), and
the events in docs/api.md.
"""

import json
import re
import shlex
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from api.auth.issue import issue_key
from api.auth.scopes import SERVER_SCOPES, Scope
from api.views import StreamView
from config.embedded.paths import PROJECT
from matchmaking.models import Queue
from matchmaking.sweep.run import run_queue
from ratings.models import Game, Ladder, Match, MatchState
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


def test_every_event_is_told_of() -> None:
    """Every kind that the code names stands in the table and in the description, and nothing else."""
    code = [
        path.read_text(encoding="utf-8")
        for app in ("matchmaking", "ratings", "leaderboards")
        for path in (PROJECT / app).rglob("*.py")
        if "migrations" not in path.parts
    ]
    calls = r'tell\w*\(.*"((?:ticket|offer|party|match|standings)\.[a-z]+)"'
    named = {kind for text in code for kind in re.findall(calls, text)}
    # The ends of a match go by its states, and so do the words that `announce` and `tell_pages` are given.
    named |= {f"match.{state}" for state in MatchState.values if state != MatchState.PLAYING}
    docs = (PROJECT / "docs" / "api.md").read_text(encoding="utf-8")
    rows = re.search(r"^\| `kind` \|.*?\n\n", docs, re.MULTILINE | re.DOTALL)
    assert rows is not None
    first = [row.split("|")[1] for row in rows[0].splitlines()[2:] if row]
    assert set(re.findall(r"`([a-z.]+)`", " ".join(first))) == named
    groups = re.findall(r"`([a-z]+)(\.[a-z]+)`((?:,\s+`\.[a-z]+`)*)", StreamView.get.__doc__ or "")
    described = {
        f"{of}{kind}" for of, one, more in groups for kind in [one, *re.findall(r"\.[a-z]+", more)]
    }
    assert described == named


@pytest.mark.django_db
def test_a_server_hears_of_searches_and_of_ladders_that_are_added_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heard: list[set[str]] = []

    def listen(topics: Any, _guest: Any, _after: Any) -> Any:
        heard.append(set(topics))
        return iter(())

    monkeypatch.setattr("api.views.stream.numbered_stream", listen)
    call_command("add_ladder", "duel", "--game", "my-game")
    game = Game.objects.get()
    for scope in (Scope.READ, Scope.RESULTS_WRITE):
        key = issue_key(game=game, name=scope, scopes=[scope])[1]
        Client().get("/api/v1/stream", headers={"Authorization": f"Bearer {key}"})
    call_command("add_ladder", "later", "--game", "my-game")
    later = Ladder.objects.get(slug="later")
    reading, sending = heard
    assert f"searches:{game.pk}" in reading
    assert f"searches:{game.pk}" not in sending  # such a key may not see tickets
    assert reading & set(later.topics) == sending & set(later.topics) == {f"game:{game.pk}"}
