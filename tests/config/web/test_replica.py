"""Pages read from a real copy of the database, which is behind, away, or lacks what is asked for."""

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection, connections
from django.test import Client
from pytest_django import Settings

from config.embedded import paths, processes
from config.embedded.binaries import postgres_programs
from config.embedded.postgres import Postgres
from config.web import replica
from config.web.replica import REPLICA
from foundation.kept_pages import forget_pages
from ratings.models import Ladder, Player, name_columns
from tests.leaderboards.site import make_site
from tests.throwaway import THROWAWAY

pytestmark = pytest.mark.django_db(transaction=True)


class Copy:
    """A server that follows that of the tests, as this test sees it."""

    def __init__(self, server: Postgres) -> None:
        self.server = server

    def ask(self, query: str, *values: str) -> object:
        with connections[REPLICA].cursor() as cursor:
            cursor.execute(query, values)
            row = cursor.fetchone()
        return row[0]

    def catch_up(self) -> None:
        """Wait until all that was committed is there too."""
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_current_wal_insert_lsn()")
            (committed,) = cursor.fetchone()
        there = "SELECT pg_last_wal_replay_lsn() >= %s::pg_lsn"
        assert processes.wait_until(lambda: bool(self.ask(there, committed)), seconds=120)

    def rest(self) -> None:
        """Carry out nothing of what comes."""
        self.catch_up()
        self.ask("SELECT pg_wal_replay_pause()::text")
        resting = "SELECT pg_get_wal_replay_pause_state() = 'paused'"
        assert processes.wait_until(lambda: bool(self.ask(resting)), seconds=60)

    def kill(self) -> None:
        """End it as the kernel does when memory is short."""
        pid = self.server.pid()
        assert pid
        os.kill(pid, signal.SIGKILL)
        assert processes.wait_until(lambda: not processes.alive(pid), seconds=60)


@pytest.fixture
def copy(tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Copy]:
    """A copy in the settings, as EVENMATCH_REPLICA_URL puts it there, that has all there is."""
    server = Postgres(tmp_path, THROWAWAY)
    params = connection.get_connection_params()
    program = str(postgres_programs() / "pg_basebackup")
    make = [program, "-D", str(server.cluster), "--write-recovery-conf"]
    at = [f"--host={params['host']}", f"--port={params['port']}", f"--username={params['user']}"]
    subprocess.run([*make, *at, "--checkpoint=fast"], check=True, timeout=300)
    server.start()
    its = {
        **connections.databases["default"],
        "HOST": str(paths.socket_dir(tmp_path)),
        "PORT": str(paths.POSTGRES_PORT),
    }
    monkeypatch.setitem(connections.databases, REPLICA, its)  # those of the settings
    session = connections[REPLICA]

    def connect() -> None:
        if session.connection is None:
            with session.wrap_database_errors:
                session.connect()

    # Django lets tests use those databases only that were there when the test began.
    monkeypatch.setattr(session, "ensure_connection", connect)
    settings.REPLICA_BEHIND = 3600.0  # the copy carries out what all other tests do
    settings.PAGES_KEPT = settings.PAGES_TRUSTED = 0.0
    try:
        yield Copy(server)
    finally:
        connections[REPLICA].close()
        del connections[REPLICA]
        server.stop()
        forget_pages()


@pytest.mark.full
def test_who_reads_the_copy(copy: Copy, admin_client: Client, settings: Settings) -> None:
    ladder = make_site(system="elo", days=None).arena.ladder
    old, new = "Called so for long", "Renamed a moment ago"
    Ladder.objects.filter(pk=ladder.pk).update(name=old)
    page, visitor = f"/games/{ladder.game.slug}/", Client()
    copy.rest()
    Ladder.objects.filter(pk=ladder.pk).update(name=new)

    def shown_to(client: Client, **headers: str) -> str:
        answer = client.get(page, headers=headers)
        assert answer.status_code == 200
        assert connection.alias == "default"
        return "new" if new in answer.text else "old" if old in answer.text else answer.text

    assert shown_to(visitor) == "old"
    assert shown_to(admin_client) == "new"
    assert shown_to(visitor, hx_request="true") == "new"  # it may have been told of a change
    # What is not there yet is looked for in the database itself, and what is nowhere is not found.
    later = Player.objects.create(game=ladder.game, external_id="new", **name_columns("New"))
    assert visitor.get(later.get_absolute_url()).status_code == 200
    assert visitor.get("/ladders/nowhere/").status_code == 404
    assert shown_to(visitor) == "old"
    settings.REPLICA_BEHIND = 0.0
    assert shown_to(Client()) == "new"


@pytest.mark.full
def test_a_copy_that_dies(copy: Copy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replica, "_CHECKED_EVERY", 3600.0)
    game = make_site(system="elo", days=None).arena.ladder.game
    visitor = Client()
    copy.catch_up()
    assert visitor.get(f"/games/{game.slug}/").status_code == 200
    copy.kill()
    for _ in range(2):  # taken for alive, then known to be away
        assert game.name in visitor.get(f"/games/{game.slug}/").text
        assert connection.alias == "default"
