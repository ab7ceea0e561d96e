"""The scripts in docs/game-developers.md, word for word (what they need is made, and while one waits the site works),
and the events in docs/api.md.
"""

import ast
import fnmatch
import json
import os
import re
import shlex
import subprocess
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from pytest_django.live_server_helper import LiveServer

from api.auth.issue import issue_key
from api.auth.scopes import SERVER_SCOPES, Scope
from api.models import ServerKey
from api.schema.published import published
from api.serializers.people.notices import NOTICE_GROUPS
from config.embedded.paths import PROJECT
from events.kinds import Kind
from matchmaking.models import Queue
from matchmaking.sweep.run import run_queue
from notifications.kinds import kinds
from ratings.models import Game, Ladder, Match
from ratings.tasks import rate_due_tracks

TEXT = (PROJECT / "docs" / "game-developers.md").read_text(encoding="utf-8")
WHOLE_LINES = TEXT.replace("\\\n", "")
COMMANDS = re.findall(r"^ {4}\.venv/bin/python manage\.py (add_.+)$", WHOLE_LINES, re.MULTILINE)
(DEPLOYMENT,) = re.findall(r"^```bash\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
SCRIPT = re.findall(r"^```python\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)[1]


@pytest.mark.django_db(transaction=True)
def test_a_deployment_sets_up_its_game_each_time_it_runs(live_server: LiveServer) -> None:
    key = issue_key(game=None, name="deploy", scopes=[Scope.ADMIN])[1]
    given = {**os.environ, "KEY": key, "API": f"{live_server.url}/api/v1"}
    said = []
    for time in range(4):
        if time == 2:  # it lasts some days only, and these are over
            ended = timezone.now() - timedelta(seconds=1)
            hosts = ServerKey.objects.filter(name="match host")
            hosts.update(created_at=ended - timedelta(days=3), expires_at=ended)
        ran = subprocess.run(
            ["bash", "-c", DEPLOYMENT], env=given, capture_output=True, text=True, check=False
        )
        assert (ran.returncode, ran.stderr) == (0, ""), ran.stdout
        said.append(ran.stdout)
    made, after_expiry = json.loads(said[0]), json.loads(said[2])
    assert (said[1], said[3]) == ("", "")
    queue = Queue.objects.select_related("ladder__game").get()
    assert (queue.slug, queue.ladder.team_size, queue.ladder.game.slug) == (
        "arena-trios",
        3,
        "arena",
    )
    assert queue.ladder.tracks.get().versions.count() == 1
    hosts = ServerKey.objects.filter(game=queue.ladder.game).order_by("pk")
    for key_made, host in zip((made, after_expiry), hosts, strict=True):
        assert key_made["key"].startswith(f"em_srv_{host.prefix}_")


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


def test_the_catalogue_the_table_and_the_description_name_the_same_events() -> None:
    """Every kind that is broadcast stands in docs/api.md with what it carries, and in the description; nothing else."""
    broadcast = {kind.value: set(kind.ids) for kind in Kind if kind.topics}
    docs = (PROJECT / "docs" / "api.md").read_text(encoding="utf-8")
    table = re.search(r"^\| `kind` \|.*?\n\n", docs, re.MULTILINE | re.DOTALL)
    assert table is not None
    known, documented = set().union(*broadcast.values()), dict[str, set[str]]()
    for row in table[0].strip().splitlines()[2:]:
        _, named, _says, ids, _ask, _ = row.split("|")
        for kind in re.findall(r"`([a-z.]+)`", named):
            documented[kind] = known.intersection(re.findall(r"`([a-z]+)`", ids))
    assert documented == broadcast
    schema = json.loads(published("json").body)
    shape = schema["components"]["schemas"]
    assert set(shape["EventKind"]["enum"]) == set(broadcast)
    said = shape["EventShape"]["properties"]["ids"]["description"]
    assert set(re.findall(r"`([a-z]+)`", said)) == known | {"kind"}
    listen = schema["paths"]["/stream"]["get"]["description"]
    groups = re.findall(r"`([a-z]+)(\.[a-z]+)`((?:,\s+`\.[a-z]+`)*)", listen)
    described = {
        f"{of}{kind}" for of, one, more in groups for kind in [one, *re.findall(r"\.[a-z]+", more)]
    }
    assert described == set(broadcast)


def test_the_table_names_every_kind_of_notice_with_its_group() -> None:
    docs = (PROJECT / "docs" / "api.md").read_text(encoding="utf-8")
    table = re.search(r"^\| `kind` \| `group` \|.*?\n\n", docs, re.MULTILINE | re.DOTALL)
    assert table is not None
    documented = {
        kind: group.strip(" `")
        for row in table[0].strip().splitlines()[2:]
        for _, named, group, *_rest in [row.split("|")]
        for kind in re.findall(r"`([a-z_.]+)`", named)
    }
    assert documented == {kind.code: kind.group.value for kind in kinds()}
    assert set(NOTICE_GROUPS) == set(documented.values())


def test_the_map_names_every_event_of_the_catalogue() -> None:
    text = (PROJECT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = re.search(r"^\| kind \|.*?\n\n", text, re.MULTILINE | re.DOTALL)
    assert table is not None
    patterns: list[str] = []
    for name in re.findall(
        r"`([a-z.*]+)`", " ".join(re.findall(r"^\|(.*?)\|", table[0], re.MULTILINE))
    ):
        patterns.append(f"{patterns[-1].partition('.')[0]}{name}" if name.startswith(".") else name)
    assert all(fnmatch.filter(list(Kind), pattern) for pattern in patterns)
    assert [kind for kind in Kind if not any(fnmatch.fnmatch(kind, it) for it in patterns)] == []


def test_whatever_is_announced_is_in_the_catalogue_and_everything_in_it_is_announced() -> None:
    """Calls name members of `Kind`, never a text of their own; and each member is named outside the catalogue."""
    named: set[str] = set()
    spelled: list[str] = []
    for app in sorted({path.parent.name for path in PROJECT.glob("*/apps.py")} - {"events"}):
        for path in (PROJECT / app).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "Kind":
                    named.add(node.attr)
                if isinstance(node, ast.Call) and re.search(
                    r"(broadcast|publish|announce|Message)\w*$", ast.unparse(node.func)
                ):
                    given = [*node.args, *(one.value for one in node.keywords)]
                    spelled += [
                        f"{path}:{node.lineno}"
                        for one in given
                        if isinstance(one, ast.JoinedStr)
                        or (isinstance(one, ast.Constant) and isinstance(one.value, str))
                    ]
    assert spelled == []
    assert {kind.name for kind in Kind} <= named


@pytest.mark.django_db
def test_a_server_hears_of_searches_and_of_ladders_that_are_added_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heard: list[set[str]] = []

    def listen(topics: Any, _reader: Any, _after: Any) -> Any:
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
