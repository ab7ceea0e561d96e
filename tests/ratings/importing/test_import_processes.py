"""Imports as processes: killed in the middle, and two at once. Real processes, stopped by locks of the test's own."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Protocol
from urllib.parse import urlsplit

import psycopg
import pytest
from django.conf import settings
from django.db import connection, transaction

from foundation.locks import Lock, hold
from ratings.importing.staging import BATCH
from ratings.models import Game, Ladder
from tests.ratings.match_files import Line, counts, file_of, sequence

pytestmark = pytest.mark.django_db(transaction=True)

PATIENCE = 300.0
GAMES = [Line("2020-01-01", f"player {i}", f"player {i + 1}", "1") for i in range(50)]

# The import alone, without the rating that follows it. Its limit of time is one that no busy machine exceeds; in haste
# a thousandth of it is in force from its last statement on.
IMPORT = """
import sys, django
django.setup()
from django.db import connection
from foundation import lease
from ratings.importing import import_file as files
files.IDLE_SECONDS = lease.DEADLINE_SECONDS = 1000
from ratings.importing import NewLadder, import_matches
def hasten(execute, sql, params, many, context):
    if sys.argv[1] == "in haste" and sql.startswith('UPDATE "ratings_ladder"'):
        execute(
            "SELECT set_config(name, setting::int / 1000 || 'ms', true) FROM pg_settings"
            " WHERE name = 'idle_in_transaction_session_timeout'", None, False, context)
    return execute(sql, params, many, context)
create = NewLadder(game="football")
with connection.execute_wrapper(hasten):
    report = import_matches(sys.stdin.buffer, name="games.csv", ladder="world", create=create)
print(report.new_matches)
"""


def _address_of_the_test_database() -> str:
    name = connection.settings_dict["NAME"]
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()


class Start(Protocol):
    """Starts an import that reads its standard input."""

    def __call__(self, pace: str = ...) -> subprocess.Popen[bytes]: ...


@pytest.fixture
def importers() -> Iterator[Start]:
    """Start importing processes on the test's database; what still runs afterwards is killed."""
    environment = {**os.environ, "DATABASE_URL": _address_of_the_test_database()}

    def start(pace: str = "at leisure") -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-c", IMPORT, pace],
            cwd=settings.PROJECT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        stack.enter_context(process)
        stack.callback(process.kill)
        return process

    with ExitStack() as stack:
        yield start


@contextmanager
def _another_session() -> Iterator[psycopg.Connection[tuple[int]]]:
    """A session of the test's own, whose transaction is rolled back at the end of the block."""
    with psycopg.connect(_address_of_the_test_database()) as session:
        yield session
        session.rollback()


def _feed(process: subprocess.Popen[bytes], content: str) -> None:
    """Give the process its whole file."""
    assert process.stdin is not None
    process.stdin.write(content.encode())
    process.stdin.close()
    process.stdin = None


def _wait_until(query: str, wanted: int) -> None:
    """Wait until the database counts `wanted` of something."""
    deadline = time.monotonic() + PATIENCE
    found = -1
    while found != wanted:
        assert time.monotonic() < deadline, f"{found} instead of {wanted}: {query}"
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_stat_clear_snapshot()")
            cursor.execute(query)
            found = cursor.fetchone()[0]
        time.sleep(0.02)


WAITING_FOR_A_LOCK = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND wait_event_type = 'Lock'
"""
OTHER_IMPORTERS = """
SELECT count(DISTINCT relnamespace) FROM pg_class WHERE relname = 'import_staging'
"""


def test_killed_while_it_reads_it_leaves_nothing(
    importers: Start,
) -> None:
    process = importers()
    content = file_of([GAMES[0]] * (BATCH + 1))
    assert process.stdin is not None
    process.stdin.write(content.encode())
    process.stdin.flush()
    _wait_until(OTHER_IMPORTERS, 1)
    process.kill()
    process.communicate()
    _wait_until(OTHER_IMPORTERS, 0)
    assert counts() == (0, 0, 0, 0)
    assert not Game.objects.exists()


def test_killed_after_it_wrote_its_matches_it_leaves_nothing(
    importers: Start,
) -> None:
    game = Game.objects.create(slug="football", name="Football")
    ladder = Ladder.objects.create(game=game, slug="world", name="World")
    process = importers()
    with _another_session() as session:
        # The ladder's row is what an import writes last.
        session.execute("SELECT 1 FROM ratings_ladder WHERE id = %s FOR UPDATE", [ladder.pk])
        _feed(process, file_of(GAMES))
        _wait_until(WAITING_FOR_A_LOCK, 1)
        process.kill()
        process.communicate()
    _wait_until(OTHER_IMPORTERS, 0)
    assert counts() == (0, 0, 0, 0)
    ladder.refresh_from_db()
    assert (ladder.last_seq, ladder.counted_until) == (0, None)

    again = importers()
    out, _ = again.communicate(file_of(GAMES).encode(), timeout=PATIENCE)
    assert out.strip() == b"50"
    assert len(sequence()) == 50


def test_stopped_while_it_writes_it_does_not_keep_the_ladder(
    importers: Start,
) -> None:
    game = Game.objects.create(slug="football", name="Football")
    ladder = Ladder.objects.create(game=game, slug="world", name="World")
    process = importers("in haste")
    with _another_session() as session:
        session.execute("SELECT 1 FROM ratings_ladder WHERE id = %s FOR UPDATE", [ladder.pk])
        _feed(process, file_of(GAMES))
        _wait_until(WAITING_FOR_A_LOCK, 1)
        process.send_signal(signal.SIGSTOP)
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL lock_timeout = '{PATIENCE}s'")
        hold(Lock.LADDER, ladder.pk)
    process.send_signal(signal.SIGCONT)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert counts() == (0, 0, 0, 0)


def test_two_at_once_have_the_effect_of_one(
    importers: Start,
) -> None:
    game = Game.objects.create(slug="football", name="Football")
    ladder = Ladder.objects.create(game=game, slug="world", name="World")
    both = importers(), importers()
    with transaction.atomic():
        hold(Lock.LADDER, ladder.pk)
        for process in both:
            _feed(process, file_of(GAMES))
        _wait_until(WAITING_FOR_A_LOCK, 2)
    added = sorted(process.communicate(timeout=PATIENCE)[0].strip() for process in both)
    assert added == [b"0", b"50"]
    assert counts() == (50, 100, 51, 1)


def test_two_that_make_the_same_ladder_at_once_make_it_once(
    importers: Start,
) -> None:
    both = importers(), importers()
    with _another_session() as session:
        # Both find no game, and then wait for whether this one becomes it.
        session.execute(
            "INSERT INTO ratings_game (slug, name, description, simulated)"
            " VALUES ('football', 'Never', '', false)"
        )
        for process in both:
            _feed(process, file_of(GAMES))
        _wait_until(WAITING_FOR_A_LOCK, 2)
    added = sorted(process.communicate(timeout=PATIENCE)[0].strip() for process in both)
    assert added == [b"0", b"50"]
    assert counts() == (50, 100, 51, 1)
    ladder = Ladder.objects.get()
    assert (ladder.game.name, ladder.tracks.count()) == ("Football", 1)
