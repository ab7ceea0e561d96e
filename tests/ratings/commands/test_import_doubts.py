"""Before an import writes: what it would do, which names look alike, and whether the ladder is the right one."""

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from accounts.models import AuditEntry
from events.models import Event
from ratings.importing import take_back
from ratings.models import Game, ImportedFile, Ladder, Player
from tests.ratings.match_files import FileRow, counts, file_of, take_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("declared")]

NAMES = ("Ada", "Bo", "Cy", "Dee", "Eve", "Flo")
ROUND = [FileRow(f"2020-01-{day:02}", a, b, "1") for day, (a, b) in enumerate(
    zip(NAMES, (*NAMES[1:], NAMES[0]), strict=True), 1
)]  # fmt: skip


def run(folder: Path, rows: list[FileRow], ladder: str, *options: str, **more: Any) -> str:
    path, out = folder / "games.csv", StringIO()
    path.write_text(file_of(rows), encoding="utf-8")
    call_command("import_matches", str(path), "--ladder", ladder, *options, stdout=out, **more)
    return " ".join(out.getvalue().split())


def test_a_dry_run_says_what_would_be_done_and_writes_nothing(tmp_path: Path) -> None:
    told = run(tmp_path, ROUND, "world", "--create", "--game", "football", "--dry-run")
    for words in (
        "football (would be made)", "world (would be made)", "Mode ranked", "New matches 6", "New players 6",
        "Played from 2020-01-01 00:00 UTC", "Played to 2020-01-06 00:00 UTC", "Nothing was changed",
    ):  # fmt: skip
        assert words in told
    assert (counts(), Game.objects.count(), Ladder.objects.count()) == ((0, 0, 0, 0), 0, 0)
    assert not Event.objects.exists()
    assert not AuditEntry.objects.exists()


def test_a_dry_run_says_what_the_import_then_does(tmp_path: Path) -> None:
    take_in(file_of(ROUND[:3]))
    rows = [*ROUND, FileRow("2020-01-05", "Gus", "Hal", "0.5")]
    told = run(tmp_path, rows, "world", "--dry-run")
    assert "New matches 4 Known matches 3 New players 4" in told
    assert "1 row is dated before the row above it" in told
    assert "Of 8 names 4 have played in this ladder, none in another." in told
    done = run(tmp_path, rows, "world")
    assert "New matches 4 Known matches 3 New players 4" in done
    again = run(tmp_path, rows, "world", "--dry-run")
    assert "New matches 0 Known matches 7 New players 0" in again
    assert "already imported" in again


def test_a_dry_run_finds_the_same_faults(tmp_path: Path) -> None:
    take_in(file_of(ROUND))
    changed = [ROUND[0]._replace(score="0"), FileRow("2020", "A", "B", "1")]
    for rows in (changed[:1], changed):
        for options in ([], ["--dry-run"]):
            with pytest.raises(CommandError, match="nothing was changed"):
                run(tmp_path, rows, "world", *options)


def test_names_that_look_alike_are_shown(tmp_path: Path) -> None:
    take_in(file_of(ROUND))
    rows = [FileRow("2021-01-01", "АDA", "Вo", "1"), FileRow("2021-01-02", "Ivo", "lvo", "1")]
    told = run(tmp_path, rows, "world", "--dry-run")
    assert "4 names would be new and look like others:" in told
    assert "АDA: Ada" in told
    assert "Вo: Bo" in told
    assert "Ivo: lvo" in told
    assert not Player.objects.filter(external_id="Ivo").exists()


def test_the_wrong_ladder_is_asked_about(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    take_in(file_of(ROUND), ladder="blitz")
    take_in(file_of([FileRow("2019-01-01", "Gil", "Hal", "1")]), ladder="world")
    before = counts()
    doubt = "Of 6 names 0 have played in this ladder, 6 in ladder blitz. Is this the right ladder?"
    assert doubt in run(tmp_path, ROUND, "world", "--dry-run")
    with pytest.raises(CommandError) as refused:
        run(tmp_path, ROUND, "world")
    assert doubt in str(refused.value)
    assert "--yes" in str(refused.value)

    class Terminal(StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr("sys.stdin", Terminal("no\n"))
    with pytest.raises(CommandError, match="Is this the right ladder"):
        run(tmp_path, ROUND, "world")
    assert counts() == before
    monkeypatch.setattr("sys.stdin", Terminal("yes\n"))
    assert "New matches 6" in run(tmp_path, ROUND, "world")
    # What was taken back is known no more; that the operator is sure can be said before.
    take_back.take_back(file_id=ImportedFile.objects.latest("pk").pk, by=None, note="x")
    monkeypatch.setattr("sys.stdin", StringIO())
    with pytest.raises(CommandError):
        run(tmp_path, ROUND, "world")
    assert "New matches 6" in run(tmp_path, ROUND, "world", "--yes")


def test_a_ladder_that_is_made_for_the_file_raises_no_doubt(tmp_path: Path) -> None:
    take_in(file_of(ROUND), ladder="blitz")
    options = ["world", "--create", "--game", Game.objects.get().slug]
    told = run(tmp_path, ROUND, *options, "--dry-run")
    assert "Of 6 names 0 have played in this ladder, 6 in ladder blitz." in told
    assert "Is this the right ladder?" not in told
    assert "New matches 6" in run(tmp_path, ROUND, *options)


def test_a_ladder_without_any_match_that_counts_raises_no_doubt(tmp_path: Path) -> None:
    take_in(file_of(ROUND), ladder="blitz")
    Ladder.objects.create(game=Game.objects.get(), slug="world", name="World")
    told = run(tmp_path, ROUND, "world", "--dry-run")
    assert "Of 6 names 0 have played in this ladder, 6 in ladder blitz." in told
    assert "Is this the right ladder?" not in told
    assert "New matches 6" in run(tmp_path, ROUND, "world")
    take_back.take_back(file_id=ImportedFile.objects.latest("pk").pk, by=None, note="x")
    assert "New matches 6" in run(tmp_path, ROUND, "world")


def test_few_names_and_names_of_this_ladder_raise_no_doubt(tmp_path: Path) -> None:
    take_in(file_of(ROUND), ladder="blitz")
    take_in(file_of(ROUND[:1]), ladder="world")
    more = [row._replace(date=row.date.replace("2020", "2021")) for row in ROUND]
    assert "New matches 6" in run(tmp_path, more, "world")  # two of six are known
    Ladder.objects.create(game=Game.objects.get(), slug="third", name="Third")
    assert "New matches 1" in run(tmp_path, more[:1], "third")
