"""`manage.py import_matches` without room on the disk, or of a file that breaks off: it says so, and nothing is in."""

from pathlib import Path

import pytest
from django.db import connection, transaction
from pytest_django import Settings

from config.monitoring.free_space import FreeSpace, Shortage
from ratings.importing import staging
from ratings.models import Ladder, Match
from tests.ratings.commands.test_import import CREATE, GAMES, refusal, run
from tests.ratings.match_files import counts, file_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.csv"
    path.write_text(file_of(GAMES))
    return path


def test_nothing_is_taken_in_while_the_disk_is_nearly_full(
    games: Path, tmp_path: Path, settings: Settings
) -> None:
    """As for pages and workers: PostgreSQL must not be the one who finds out."""
    space = FreeSpace((tmp_path,), 2**62)
    settings.FREE_SPACE = space
    assert refusal("import_matches", games, *CREATE).endswith("Nothing was changed.")
    assert not Ladder.objects.exists()
    space.least, space._looked_at = 0, -10.0
    assert "New matches" in run("import_matches", games, *CREATE)


def test_a_disk_that_fills_up_ends_an_import_with_nothing_done(
    games: Path, tmp_path: Path, settings: Settings
) -> None:
    space = FreeSpace((tmp_path,), 0)
    settings.FREE_SPACE = space
    seen: list[bool] = []

    def look() -> Shortage | None:
        seen.append(True)
        return Shortage(tmp_path, 0, 1) if len(seen) > 1 else None

    space.shortage = look  # type: ignore[method-assign]
    assert "nothing new is written" in refusal("import_matches", games, *CREATE)
    assert not Ladder.objects.exists()
    assert not Match.objects.exists()


_FULL = """
CREATE FUNCTION find_no_room() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
CREATE TRIGGER find_no_room BEFORE INSERT ON {} EXECUTE FUNCTION find_no_room()
"""


def fill_up(table: str) -> None:
    """Let PostgreSQL find no room for rows of a table."""
    with connection.cursor() as cursor:
        cursor.execute(_FULL.format(table))


def test_a_full_disk_of_postgresql_is_told_while_the_file_is_read(
    games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Into a table that every import makes anew."""
    create = f"{staging.__dict__['_CREATE']};{_FULL.format('import_staging')}"
    monkeypatch.setattr(staging, "_CREATE", create)
    before = transaction.savepoint()  # nothing of the command's own is open then
    told = refusal("import_matches", games, *CREATE)
    transaction.savepoint_rollback(before)
    assert told.startswith("The disk of PostgreSQL is full: could not extend file")
    assert counts() == (0, 0, 0, 0)


def test_a_full_disk_of_postgresql_leaves_nothing_of_a_file_in(games: Path) -> None:
    fill_up("ratings_match")
    told = refusal("import_matches", games, *CREATE)
    assert told.startswith("The disk of PostgreSQL is full: could not extend file")
    assert "Nothing was imported." in told
    assert counts() == (0, 0, 0, 0)
    assert not Ladder.objects.exists()


def test_a_full_disk_while_it_rates_leaves_the_file_in(games: Path) -> None:
    fill_up("ratings_ratingchange")
    told = refusal("import_matches", games, *CREATE)
    assert told.startswith("The file is in, but rating stopped: could not extend file")
    assert Match.objects.count() == 3


def test_a_file_that_cannot_be_read_to_its_end_is_told() -> None:
    told = refusal("import_matches", "/proc/self/mem", *CREATE)
    assert told == "/proc/self/mem was not imported; nothing was changed: Input/output error."
