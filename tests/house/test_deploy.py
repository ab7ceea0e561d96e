"""The files for an installation name what there is: settings, programs, addresses, metrics."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, resolve

from config.backup.schedule import BackupState
from config.embedded.paths import PROJECT
from config.monitoring import metrics
from config.settings.environment import FORMS, FREE, check_settings
from config.workers.task_queues import QUEUES, WORKERS
from foundation import metrics as counted
from ratings.models import Game, Ladder, RatingTrack

DEPLOY = PROJECT / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
PLACE = "/srv/evenmatch/"  # where units and container have the project


def text(*parts: str) -> str:
    return DEPLOY.joinpath(*parts).read_text(encoding="utf-8")


def entries(unit: Path) -> list[tuple[str, str]]:
    lines = [
        line for line in unit.read_text("utf-8").splitlines() if "=" in line and line[0] != "#"
    ]
    return [(name, value) for name, _, value in (line.partition("=") for line in lines)]


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_units_start_what_there_is(unit: Path) -> None:
    said = dict(entries(unit))
    assert said["WorkingDirectory"] + "/" == PLACE
    program, *words = shlex.split(said["ExecStart"])
    place = program.removeprefix(PLACE)
    assert (PROJECT / place).exists(), program
    for word in words:
        if word.endswith(".py"):
            assert (PROJECT / word).exists()
    for name, value in entries(unit):
        if name == "Environment":
            variable = value.partition("=")[0]
            assert variable in {*FORMS, *FREE, "DJANGO_SETTINGS_MODULE", "PROMETHEUS_MULTIPROC_DIR"}


def test_there_is_a_unit_for_each_worker_and_the_target_wants_them_all() -> None:
    wanted = dict(entries(DEPLOY / "systemd" / "evenmatch.target"))["Wants"].split()
    names = {unit.name for unit in UNITS} - {"evenmatch.service"}
    assert {re.sub(r"@\d", "@", name) for name in wanted} == names
    started = " ".join(unit.read_text("utf-8") for unit in UNITS)
    for queue, (number, at_once) in WORKERS.items():
        assert f"--queues {queue} " in started
        of_queue = [name for name in wanted if name.startswith(f"evenmatch-{queue}")]
        assert len(of_queue) == number
        assert f"--queues {queue} --hostname {queue}" in started
        assert re.search(rf"--queues {queue} .*--concurrency {at_once} ", started)
    assert len(QUEUES) == len(WORKERS)


def test_the_container_has_what_it_names() -> None:
    said = text("containers", "Containerfile")
    for sources in re.findall(r"^COPY (.+) \S+$", said, re.MULTILINE):
        for source in sources.split():
            assert (PROJECT / source).exists(), source
    compiled = re.search(r"compileall -q (.+)$", said, re.MULTILINE)
    assert compiled is not None
    apps = {path.parent.name for path in PROJECT.glob("*/__init__.py")} - {"tests", "benchmarks"}
    assert set(compiled[1].split()) == apps
    entry = re.search(r"^ENTRYPOINT (\[.+\])$", said, re.MULTILINE)
    assert entry is not None
    assert (PROJECT / json.loads(entry[1])[0]).exists()
    assert resolve("/health/live")
    assert "http://127.0.0.1:8000/health/live" in said
    left_out = (PROJECT / ".dockerignore").read_text("utf-8").split()
    assert {".git", ".venv", "var", "evenmatch.toml", "**/.env"} <= set(
        left_out
    )  # nothing secret gets into it


def test_the_compose_file_sets_what_is_read() -> None:
    said = yaml.safe_load(text("containers", "compose.yaml"))
    site = said["services"]["site"]
    given = {
        name: re.sub(r"\$\{\w+(?::-([^}]*)|:\?[^}]*)\}", lambda found: found[1] or "secret", value)
        for name, value in site["environment"].items()
    }
    assert set(given) <= {*FORMS, *FREE}
    check_settings(given)
    assert set(site["depends_on"]) <= set(said["services"])
    for service in said["services"].values():
        assert service["restart"] == "unless-stopped"
        assert re.fullmatch(r"[a-z]+(?:/[a-z]+)?(?::\d+)?", service["image"])  # and no registry
        for volume in service.get("volumes", ()):
            assert volume.partition(":")[0] in said["volumes"]
    for name in ("database", "cache"):
        assert site["depends_on"][name] == {"condition": "service_healthy"}
        assert said["services"][name]["healthcheck"]
    build = (DEPLOY / "containers" / site["build"]["context"]).resolve()
    assert build == PROJECT
    assert (build / site["build"]["dockerfile"]).exists()
    # Published to this machine alone: a proxy stands in front.
    assert site["ports"] == ["127.0.0.1:8000:8000"]


def test_proxies_pass_streams_on_at_once() -> None:
    """All addresses of streams that there are, and only they."""
    (api,) = [
        one
        for one in get_resolver().url_patterns
        if isinstance(one, URLResolver) and str(one.pattern) == "api/v1/"
    ]
    streams = ["/live/"] + [
        f"/api/v1/{one.pattern}"
        for one in api.url_patterns
        if isinstance(one, URLPattern) and one.name == "stream"
    ]
    assert len(streams) == 2
    nginx = text("proxies", "nginx.conf")
    groups = text("proxies", "nginx-groups.conf")
    places = [re.search(r"location ~ (\S+) \{([^}]*)\}", said) for said in (nginx, groups)]
    for place in places:
        assert place is not None
        assert "proxy_buffering off;" in place[2]
        assert "gzip off;" in place[2]
    caddy = text("proxies", "Caddyfile")
    named = re.search(r"@streams path (.+)$", caddy, re.MULTILINE)
    assert named is not None
    begins = tuple(one.removesuffix("*") for one in named[1].split())
    for path in streams:
        assert resolve(path)
        assert all(place and re.match(place[1], path) for place in places)
        assert path.startswith(begins)
    for path in ("/", "/play/", "/api/v1/queues"):
        assert not any(place and re.match(place[1], path) for place in places)
        assert not path.startswith(begins)
    for said in (nginx, groups, caddy):
        assert "X-Forwarded-For" in said
        assert "75s" in said
    for said in (nginx, groups):
        assert "X-Forwarded-Proto $scheme" in said  # Caddy sets it by itself


@pytest.fixture
def names(client: Client, monkeypatch: pytest.MonkeyPatch) -> dict[str, set[str]]:
    """The metrics of a site in which everything has happened once, with their labels."""
    state = BackupState(newest=1.0)
    monkeypatch.setattr(metrics, "read_state", lambda: state)
    game = Game.objects.create(slug="chess", name="Chess")
    ladder = Ladder.objects.create(game=game, slug="blitz", name="Blitz", last_seq=1)
    RatingTrack.objects.create(ladder=ladder, system="elo")
    for name in counted.__all__:
        metric = getattr(counted, name)
        if labels := metric._labelnames:
            metric.labels(*labels)
    answer = client.get(
        "/metrics", headers={"Authorization": f"Bearer {settings.METRICS_TOKEN}"}
    ).content.decode()
    found: dict[str, set[str]] = {"up": {"job"}}
    # Of a queue with tickets, and of rooms and challenges, which this site lacks.
    found["evenmatch_live_tickets"] = {"queue", "state"}
    found |= {f"evenmatch_live_{one}": {"game"} for one in ("rooms", "challenges")}
    for name in re.findall(r"^# TYPE (\w+) \w+$", answer, re.MULTILINE):
        found.setdefault(name, set())
    for name, labels in re.findall(r"^(\w+)(?:\{([^}]*)\})? ", answer, re.MULTILINE):
        found.setdefault(name, set()).update(re.findall(r'(\w+)="', labels))
    return found


def alarms() -> list[dict[str, Any]]:
    said = yaml.safe_load(text("monitoring", "alarms.yml"))
    return [rule for group in said["groups"] for rule in group["rules"]]


def expressions() -> list[str]:
    board = json.loads(text("monitoring", "grafana.json"))
    shown = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    return [rule["expr"] for rule in alarms()] + shown


@pytest.mark.django_db
def test_alarms_and_the_dashboard_ask_for_metrics_that_are_given(
    names: dict[str, set[str]],
) -> None:
    said = " ".join(expressions())
    for expression in expressions():
        asked = set(re.findall(r"\b(?:evenmatch_\w+|up)\b", expression))
        assert asked, expression
        assert asked <= set(names), expression
        labels = {"le"}.union(*(names[name] for name in asked))
        used = set(re.findall(r"(\w+)(?:=~|!~|!=|=)\"", expression))
        for group in re.findall(r"\bby \(([^)]*)\)", expression):
            used.update(re.findall(r"\w+", group))
        assert used <= labels, expression
        # Between a number and figures `on` is dropped without a word, and the comparison beyond it finds nothing.
        assert not re.search(r"\d\s*[-+*/]\s*on\b", expression), expression
    # And the dashboard leaves nothing out that is counted.
    given = {name for name in names if name.startswith("evenmatch_")}
    left_out = {
        name
        for name in given
        if not name.endswith(("_created", "_bucket", "_count", "_sum"))
        and name not in said
        and f"{name}_bucket" not in said
        and f"{name}_total" not in said
    }
    assert left_out == set()


def test_alarms_say_what_to_do_and_where_to_read() -> None:
    docs = {
        name: (PROJECT / "docs" / name).read_text("utf-8")
        for name in ("operators.md", "installing.md")
    }
    for rule in alarms():
        assert rule["labels"]["severity"] in {"page", "ticket"}
        assert rule["annotations"]["summary"].endswith(".")
        action = rule["annotations"]["action"]
        for name, heading in re.findall(r"docs/(\w+\.md), ([^.]+)\.", action):
            assert f"# {heading}\n" in docs[name], action
    board = json.loads(text("monitoring", "grafana.json"))
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"])
    for panel in board["panels"]:
        place = panel["gridPos"]
        assert place["x"] + place["w"] <= 24
    scraped = yaml.safe_load(text("monitoring", "prometheus.yml"))
    (job,) = scraped["scrape_configs"]
    assert resolve(job["metrics_path"])
    assert job["job_name"] == "evenmatch"
