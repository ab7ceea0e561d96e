"""A disk that is nearly full: readers are served, nothing is written, and it goes on by itself."""

import os
from pathlib import Path

import pytest
from celery import shared_task
from django.db import OperationalError
from django.test import Client, RequestFactory
from psycopg.errors import DiskFull
from pytest_django import Settings

from accounts.models import User
from config.monitoring.free_space import FreeSpace, of_this_site
from config.web.middleware import FreeSpaceMiddleware
from foundation.metric_storage import RESERVED, reserve

DONE: list[str] = []


@shared_task(name="tests.write")
def write() -> None:
    DONE.append("written")


@pytest.fixture
def full(settings: Settings, tmp_path: Path) -> FreeSpace:
    """As if more room were needed than any disk has."""
    space = FreeSpace((tmp_path,), 2**62)
    settings.FREE_SPACE = space
    return space


def with_room(space: FreeSpace) -> None:
    """Room is there again."""
    space.least = 0
    space._looked_at = -10.0


@pytest.mark.django_db
def test_pages_are_shown_and_forms_are_refused(client: Client, full: FreeSpace) -> None:
    User.objects.create_user("alice", password="an old door")
    form = {"login": "alice", "password": "an old door"}
    assert client.get("/").status_code == 200
    refused = client.post("/accounts/login/", form)
    assert (refused.status_code, refused["Retry-After"]) == (503, "10")
    assert "Out of space" in refused.content.decode()
    with_room(full)
    assert client.post("/accounts/login/", form).status_code == 302


@pytest.mark.django_db
def test_the_api_says_so_in_its_own_form(client: Client, full: FreeSpace) -> None:
    assert client.get("/api/v1/games").status_code == 200
    refused = client.post("/api/v1/tickets", {"queue": "duel"}, content_type="application/json")
    assert (refused.status_code, refused["Content-Type"]) == (503, "application/problem+json")
    assert (refused.json()["code"], refused["Retry-After"]) == ("no_room", "10")
    with_room(full)
    again = client.post("/api/v1/tickets", {"queue": "duel"}, content_type="application/json")
    assert again.status_code == 401


def test_a_full_disk_of_postgresql_is_told_the_same_way(rf: RequestFactory) -> None:
    error = OperationalError("could not extend file")
    error.__cause__ = DiskFull()
    middleware = FreeSpaceMiddleware(lambda request: None)  # type: ignore[arg-type,return-value]
    answer = middleware.process_exception(rf.get("/"), error)
    assert answer is not None
    assert answer.status_code == 503
    assert middleware.process_exception(rf.get("/"), OperationalError("away")) is None


@pytest.mark.django_db
def test_background_work_rests_but_heartbeats_go_on(full: FreeSpace) -> None:
    from config.tasks import heartbeat, workers_alive

    DONE.clear()
    write.delay()
    assert DONE == []
    heartbeat.delay("ratings")
    assert workers_alive()["ratings"]
    with_room(full)
    write.delay()
    assert DONE == ["written"]


def test_writing_begins_again_only_well_above_the_limit(tmp_path: Path) -> None:
    free = FreeSpace((tmp_path,), 0).free()[tmp_path]
    space = FreeSpace((tmp_path,), int(free * 1.05))
    shortage = space.shortage()
    assert shortage is not None
    assert str(tmp_path) in str(shortage)
    space._looked_at, space.least = -10.0, int(free * 0.95)  # above the limit by too little
    assert space.shortage() is not None
    space._looked_at, space.least = -10.0, int(free * 0.5)
    assert space.shortage() is None


def test_the_limit_must_be_a_number(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="EVENMATCH_MIN_FREE_MB is 'much': must be a number"):
        of_this_site({"EVENMATCH_MIN_FREE_MB": "much", "EVENMATCH_DATA_DIR": str(tmp_path)})


def test_files_of_counts_have_all_their_blocks(tmp_path: Path) -> None:
    """A part without blocks would end whoever writes to it once the disk is full."""
    reserve(tmp_path, os.getpid())
    sizes = {file.name.rpartition("_")[0]: file.stat() for file in tmp_path.glob("*.db")}
    assert {kind: found.st_size for kind, found in sizes.items()} == RESERVED
    assert all(found.st_blocks * 512 >= found.st_size for found in sizes.values())
