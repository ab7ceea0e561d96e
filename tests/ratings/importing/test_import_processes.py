"""Imports as processes: killed in the middle, and two at once. Real processes, stopped by locks of the test's own."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Protocol
from uuid import uuid4

import psycopg
import pytest
from django.db import connection, transaction

from foundation.postgresql import lease
from foundation.postgresql.locks import Lock, hold
from ratings.importing import NewLadder, import_file, import_matches
from ratings.importing.staging import BATCH
from ratings.models import Game, Ladder
from tests.processes import PATIENCE, Running, running, wait_until
from tests.ratings.match_files import FileRow, counts, file_of, sequence

pytestmark = pytest.mark.django_db(transaction=True)

GAMES = [FileRow("2020-01-01", f"player {i}", f"player {i + 1}", "1") for i in range(50)]


def import_alone(file: str, *, in_haste: bool = False) -> int:
    """Import without the rating that follows; how many matches were new.

    The limit of time is one that no busy machine exceeds; in haste a thousandth of it is in force from the last
    statement on.
    """
    import_file.__dict__["IDLE_SECONDS"] = lease.__dict__["DEADLINE_SECONDS"] = 1000

    def hasten(execute: Callable[..., Any], sql: str, *arguments: Any) -> Any:
        if in_haste and sql.startswith('UPDATE "ratings_ladder"'):
            execute(_HASTE, None, False, arguments[-1])
        return execute(sql, *arguments)

    create = NewLadder(game="football")
    with Path(file).open("rb") as content, connection.execute_wrapper(hasten):
        report = import_matches(content, name="games.csv", ladder="world", create=create)
    return report.new_matches


def import_in_haste(file: str) -> int:
    return import_alone(file, in_haste=True)


_HASTE = """
SELECT set_config(name, setting::int / 1000 || 'ms', true) FROM pg_settings
WHERE name = 'idle_in_transaction_session_timeout'
"""


class Importer:
    """A process that imports a file while the test still writes it."""

    def __init__(self, process: Running, file: Path) -> None:
        self.process = process
        self.file = file.open("wb")

    def feed(self, content: str) -> None:
        """Give it its whole file."""
        self.file.write(content.encode())
        self.file.close()


class Start(Protocol):
    """Starts an import."""

    def __call__(self, work: Callable[[str], int] = ...) -> Importer: ...


@pytest.fixture
def importers(tmp_path: Path) -> Iterator[Start]:
    """Start importing processes on the test's database; what still runs afterwards is killed."""

    def start(work: Callable[[str], int] = import_alone) -> Importer:
        file = tmp_path / f"{uuid4()}.csv"
        os.mkfifo(file)
        importer = Importer(stack.enter_context(running(work, str(file))), file)
        stack.callback(importer.file.close)
        return importer

    with ExitStack() as stack:
        yield start


@contextmanager
def _another_session() -> Iterator[psycopg.Connection[tuple[int]]]:
    """A session of the test's own, whose transaction is rolled back at the end of the block."""
    with psycopg.connect(**connection.get_connection_params()) as session:
        yield session
        session.rollback()


def _wait_until(query: str, wanted: int) -> None:
    """Wait until the database counts `wanted` of something."""

    def is_so() -> bool:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_stat_clear_snapshot()")
            cursor.execute(query)
            return bool(cursor.fetchone() == (wanted,))

    wait_until(is_so)


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
    importer = importers()
    content = file_of([GAMES[0]] * (BATCH + 1))
    importer.file.write(content.encode())
    importer.file.flush()
    _wait_until(OTHER_IMPORTERS, 1)
    importer.process.kill()
    _wait_until(OTHER_IMPORTERS, 0)
    assert counts() == (0, 0, 0, 0)
    assert not Game.objects.exists()


def test_killed_after_it_wrote_its_matches_it_leaves_nothing(
    importers: Start,
) -> None:
    game = Game.objects.create(slug="football", name="Football")
    ladder = Ladder.objects.create(game=game, slug="world", name="World")
    importer = importers()
    with _another_session() as session:
        # The ladder's row is what an import writes last.
        session.execute("SELECT 1 FROM ratings_ladder WHERE id = %s FOR UPDATE", [ladder.pk])
        importer.feed(file_of(GAMES))
        _wait_until(WAITING_FOR_A_LOCK, 1)
        importer.process.kill()
    _wait_until(OTHER_IMPORTERS, 0)
    assert counts() == (0, 0, 0, 0)
    ladder.refresh_from_db()
    assert (ladder.last_seq, ladder.counted_until) == (0, None)

    again = importers()
    again.feed(file_of(GAMES))
    assert again.process.hear() == 50
    assert len(sequence()) == 50


def test_stopped_while_it_writes_it_does_not_keep_the_ladder(
    importers: Start,
) -> None:
    game = Game.objects.create(slug="football", name="Football")
    ladder = Ladder.objects.create(game=game, slug="world", name="World")
    importer = importers(import_in_haste)
    with _another_session() as session:
        session.execute("SELECT 1 FROM ratings_ladder WHERE id = %s FOR UPDATE", [ladder.pk])
        importer.feed(file_of(GAMES))
        _wait_until(WAITING_FOR_A_LOCK, 1)
        importer.process.send_signal(signal.SIGSTOP)
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL lock_timeout = '{PATIENCE}s'")
        hold(Lock.LADDER, ladder.pk)
    importer.process.send_signal(signal.SIGCONT)
    assert importer.process.wait() == 1
    assert counts() == (0, 0, 0, 0)


def test_two_at_once_have_the_effect_of_one(
    importers: Start,
) -> None:
    game = Game.objects.create(slug="football", name="Football")
    ladder = Ladder.objects.create(game=game, slug="world", name="World")
    both = importers(), importers()
    with transaction.atomic():
        hold(Lock.LADDER, ladder.pk)
        for importer in both:
            importer.feed(file_of(GAMES))
        _wait_until(WAITING_FOR_A_LOCK, 2)
    added = sorted(importer.process.hear() for importer in both)
    assert added == [0, 50]
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
        for importer in both:
            importer.feed(file_of(GAMES))
        _wait_until(WAITING_FOR_A_LOCK, 2)
    added = sorted(importer.process.hear() for importer in both)
    assert added == [0, 50]
    assert counts() == (50, 100, 51, 1)
    ladder = Ladder.objects.get()
    assert (ladder.game.name, ladder.tracks.count()) == ("Football", 1)
