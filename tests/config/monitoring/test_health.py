"""Health addresses tell what lives, from the real servers."""

from pathlib import Path

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from pytest_django import Settings
from redis import Redis
from whitenoise.storage import CompressedManifestStaticFilesStorage

from accounts.models import User
from config.launcher.heartbeats import Heartbeats
from config.monitoring import health
from config.release import VERSION
from config.tasks import heartbeat
from tests.events.listening import OwnValkey

PARTS = ("database", "tables", "static_files", "secret_key", "metrics", "redis", "clock")
READY = {"version": VERSION, **dict.fromkeys(PARTS, True)}


@pytest.mark.usefixtures("no_session")
def test_live_needs_no_database(client: Client) -> None:
    assert client.get("/health/live").json() == {"status": "ok", "version": VERSION}


@pytest.mark.django_db
def test_ready_names_both_servers(client: Client) -> None:
    response = client.get("/health/ready")
    assert response.status_code == 200
    assert response.json() == {"status": "ok", **READY}


def unready(client: Client) -> list[str]:
    """What /health/ready says is missing."""
    response = client.get("/health/ready")
    assert response.status_code == 503
    assert response.json()["status"] == "unavailable"
    return [part for part in PARTS if not response.json()[part]]


@pytest.mark.django_db
def test_ready_wants_every_migration(client: Client) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'foundation'")
    assert unready(client) == ["tables", "clock"]


@pytest.mark.django_db
def test_migrations_of_before_stand_for_the_one_that_replaces_them(client: Client) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM django_migrations WHERE app <> 'demo' AND name LIKE '0001_squashed_%'"
        )
        assert client.get("/health/ready").json()["tables"]
        cursor.execute(
            "DELETE FROM django_migrations WHERE (app, name) = ('ratings', '0020_words')"
        )
    assert "tables" in unready(client)


@pytest.mark.django_db
def test_ready_wants_migrations_that_replace_nothing_too(client: Client) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'demo'")
    assert "tables" in unready(client)


@pytest.mark.django_db
def test_ready_wants_static_files(
    client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    settings.STATIC_ROOT = tmp_path
    nothing = CompressedManifestStaticFilesStorage(location=tmp_path)
    monkeypatch.setattr(health, "staticfiles_storage", nothing)
    assert unready(client) == ["static_files"]


@pytest.mark.django_db
def test_ready_wants_the_secret_key_and_the_folder_of_the_metrics(
    client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    settings.SECRET_KEY_FILE = tmp_path / "secret_key"
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path / "metrics"))
    assert unready(client) == ["secret_key", "metrics"]
    settings.SECRET_KEY_FILE.write_text(f"{settings.SECRET_KEY}\n")
    (tmp_path / "metrics").mkdir()
    assert client.get("/health/ready").status_code == 200


@pytest.fixture
def no_redis(settings: Settings) -> None:
    """Nothing listens where the settings say Redis is."""
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    settings.CACHES = {"default": {**settings.CACHES["default"], "LOCATION": settings.REDIS_URL}}


@pytest.mark.django_db
@pytest.mark.usefixtures("no_redis")
def test_ready_stays_ready_without_redis(client: Client) -> None:
    assert client.get("/health/ready").json() == {
        **READY,
        "status": "ok",
        "redis": False,
    }
    assert client.get("/health/workers").status_code == 503


@pytest.mark.django_db
def test_ready_names_a_valkey_that_is_full(
    client: Client, settings: Settings, tmp_path: Path
) -> None:
    valkey = OwnValkey(tmp_path)
    valkey.server.start()
    try:
        settings.REDIS_URL = valkey.url
        assert client.get("/health/ready").json()["redis"]
        signs = Heartbeats(valkey.url)
        assert signs.ages(["beat"]) is not None
        with Redis.from_url(valkey.url) as server:
            server.config_set("maxmemory", "1mb")
        assert client.get("/health/ready").json() == {**READY, "status": "ok", "redis": False}
        assert signs.ages(["beat"]) is None  # nobody can leave a sign: nobody is ended for that
    finally:
        valkey.server.stop()


@pytest.mark.django_db
@pytest.mark.usefixtures("no_redis")
def test_people_can_sign_in_without_redis(client: Client) -> None:
    User.objects.create_user("alice", password="an old door")
    wrong = client.post("/accounts/login/", {"login": "alice", "password": "guess"})
    assert wrong.status_code == 200
    right = client.post("/accounts/login/", {"login": "alice", "password": "an old door"})
    assert (right.status_code, right["Location"]) == (302, "/")


@pytest.mark.usefixtures("no_redis")
def test_the_cache_finds_nothing_and_keeps_nothing_without_redis() -> None:
    assert cache.add("key", 1) is True
    cache.set("key", 1)
    cache.set_many({"key": 1})
    assert cache.get("key", "nothing") == "nothing"
    assert cache.get_many(["key"]) == {}
    assert cache.has_key("key") is False
    assert cache.touch("key") is False
    assert cache.delete("key") is False
    cache.delete_many(["key"])


@pytest.mark.usefixtures("own_cache", "no_session")
def test_workers_follow_the_heartbeat(client: Client) -> None:
    assert client.get("/health/workers").status_code == 503
    heartbeat.delay("ratings")
    half = client.get("/health/workers")
    assert half.status_code == 503
    assert half.json() == {"status": "unavailable", "ratings": True, "matchmaking": False}
    heartbeat.delay("matchmaking")
    assert client.get("/health/workers").status_code == 200
