"""Backups by themselves: when, which are kept, and who is told of those that failed."""

from datetime import UTC, datetime, time, timedelta
from pathlib import Path

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import DEFAULT_DB_ALIAS, OperationalError, connections
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from config.backup import schedule
from config.backup.encryption import is_sealed, make_key_file
from config.backup.schedule import back_up_if_due, to_forget
from config.tasks import back_up
from foundation import clock, timekeeping
from foundation.postgresql.locks import Lock, key_of
from tests.config.monitoring.test_metrics import scrape

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def folder(settings: Settings, tmp_path: Path) -> Path:
    """Where backups go."""
    cache.delete("backups")
    settings.DATA_DIR = tmp_path / "data"
    settings.DATA_DIR.mkdir()
    folder = tmp_path / "backups"
    folder.mkdir()
    settings.BACKUP_DIR, settings.BACKUP_AT = str(folder), time(3, 15)
    settings.BACKUP_DAILY, settings.BACKUP_WEEKLY, settings.BACKUP_KEY = 2, 1, ""
    return folder


def at(monkeypatch: pytest.MonkeyPatch, moment: datetime) -> None:
    monkeypatch.setattr(clock, "now", lambda: moment)


@pytest.mark.full
def test_one_a_day_is_written_and_old_ones_go(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "evenmatch-notes.txt").touch()
    first = datetime(2026, 3, 2, 12, tzinfo=UTC)  # a Monday
    (folder / ".evenmatch-20260301T031500Z.zip.torn").touch()
    for hours, written in ((0, 1), (1, 1), (15, 1), (16, 2), (24, 2), (40, 3), (64, 3), (88, 3)):
        at(monkeypatch, first + timedelta(hours=hours))
        back_up()
        names = sorted(path.name for path in folder.iterdir())
        assert names.pop() == "evenmatch-notes.txt"
        assert len(names) == min(written, 2), hours  # the newest of the week is of the last day
    assert names == ["evenmatch-20260305T040000Z.zip", "evenmatch-20260306T040000Z.zip"]
    assert User.objects.count() == 0
    call_command("restore", str(folder / names[-1]), "--replace", verbosity=0)


def test_which_are_kept(tmp_path: Path) -> None:
    begin = datetime(2026, 1, 1, 3, 15, tzinfo=UTC)
    files = [
        (moment := begin + timedelta(hours=12 * number), tmp_path / f"{moment:%m-%dT%H}")
        for number in range(100)
    ]
    gone = set(to_forget(files, 3, 4))
    kept = sorted(path.name for _, path in files if path not in gone)
    assert kept == ["02-01T15", "02-08T15", "02-15T15", "02-17T15", "02-18T15", "02-19T15"]
    assert to_forget(files[:1], 1, 0) == []


@pytest.mark.full
def test_a_failure_is_told_until_one_is_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch, client: Client, settings: Settings
) -> None:
    now = datetime.now(UTC)
    at(monkeypatch, now)
    assert client.get("/health/backups").json() == {
        "status": "unavailable", "newest": None, "failed": False,
    }  # fmt: skip
    folder.rmdir()
    state = back_up_if_due()
    assert state is not None
    assert state.why == f"There is no folder {folder}."
    assert not folder.exists()  # a disk that is not there is not written beside
    answer = client.get("/health/backups")
    assert (answer.status_code, answer.json()["failed"]) == (503, True)
    assert "evenmatch_backup_failed 1.0" in scrape(client, settings.METRICS_TOKEN)[1]
    User.objects.create_superuser("ann", password="an old door")
    client.force_login(User.objects.get())
    assert f"No backup could be written: There is no folder {folder}." in client.get(
        "/admin/"
    ).content.decode().replace("\n", " ")

    folder.mkdir()
    assert back_up_if_due() == state  # not at once again
    at(monkeypatch, now + timedelta(minutes=16))
    cache.delete("backups")  # Valkey may be emptied at any time
    back_up()
    cache.delete("backups")
    answer = client.get("/health/backups")
    assert (answer.status_code, answer.json()["status"]) == (200, "ok")
    text = scrape(client, settings.METRICS_TOKEN)[1]
    assert "evenmatch_backup_failed 0.0" in text
    newest = (now + timedelta(minutes=16)).replace(microsecond=0).timestamp()
    (line,) = [one for one in text.splitlines() if one.startswith("evenmatch_backup_newest")]
    assert float(line.split()[1]) == newest
    at(monkeypatch, now + timedelta(hours=27))
    assert client.get("/health/backups").status_code == 503  # nobody has written one since
    settings.BACKUP_DIR = ""
    assert client.get("/health/backups").json() == {"status": "off"}
    assert "evenmatch_backup" not in scrape(client, settings.METRICS_TOKEN)[1]


def test_nothing_is_written_while_the_clock_is_not_believed_or_another_writes(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(timekeeping, "is_steady", lambda: False)
        back_up()
    another = connections.create_connection(DEFAULT_DB_ALIAS)  # perhaps of another machine
    with another.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [key_of(Lock.BACKUP, 0)])
        back_up()
        cursor.execute("SELECT pg_advisory_unlock(%s)", [key_of(Lock.BACKUP, 0)])
    another.close()
    assert list(folder.iterdir()) == []
    back_up()
    assert len(list(folder.iterdir())) == 1


def test_whoever_was_ended_has_failed_until_another_has_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ended(*_: object, **__: object) -> None:
        raise SystemExit

    def without_database(*_: object, **__: object) -> None:
        raise OperationalError("it has gone away")

    now = datetime(2026, 3, 2, 12, tzinfo=UTC)
    at(monkeypatch, now)
    by_hand = folder / ".evenmatch-by-hand.zip.at-work"
    by_hand.touch()
    monkeypatch.setattr(schedule, "write", ended)
    with pytest.raises(SystemExit):
        back_up()
    at(monkeypatch, now + timedelta(minutes=1))
    state = back_up_if_due()  # and not at once again
    assert state is not None
    assert (state.failed_at, state.why) == (now.timestamp(), "The process that wrote it was ended.")
    at(monkeypatch, now + timedelta(minutes=16))
    monkeypatch.setattr(schedule, "write", without_database)
    state = back_up_if_due()
    assert state is not None
    assert state.why == "it has gone away"
    assert list(folder.iterdir()) == [by_hand]  # which another writes
    (folder / "evenmatch-20260302T122000Z.zip").touch()  # by another machine
    at(monkeypatch, now + timedelta(minutes=21))
    state = back_up_if_due()
    assert state is not None
    assert state.failed_at is None


def test_sealed_ones_are_restored_by_their_key(folder: Path, settings: Settings) -> None:
    key = folder.parent / "site.key"
    settings.BACKUP_KEY = make_key_file(key)
    User.objects.create_user("ann", password="an old door")
    back_up()
    (file,) = folder.iterdir()
    assert file.name.endswith(".zip.sealed")
    assert is_sealed(file)
    assert file.stat().st_mode & 0o777 == 0o600
    assert not list(settings.DATA_DIR.glob("backup-at-work-*"))
    User.objects.all().delete()
    with pytest.raises(CommandError, match="sealed: name the key file that opens it, --key FILE"):
        call_command("restore", str(file))
    with pytest.raises(CommandError, match=r"Cannot read .*/lost\.key: No such file"):
        call_command("restore", str(file), key=key.with_name("lost.key"))
    call_command("restore", str(file), key=key, verbosity=0)
    assert User.objects.get().username == "ann"
    with pytest.raises(CommandError, match="EVENMATCH_BACKUP_KEY is a text of 5 characters"):
        call_command("backup", str(folder / "x.zip"), key="short")
