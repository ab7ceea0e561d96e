"""Backup, wipe, restore: into a younger cluster, and into an older PostgreSQL."""

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from accounts.models import User
from accounts.roles import give_roles
from config.backup import programs, write
from config.backup.manifest import Manifest, Rows, count_rows
from config.embedded import binaries, paths, postgres
from config.embedded.paths import PROJECT, StartError
from config.embedded.servers import Servers
from events import outbox
from events.models import Subscription
from foundation.postgresql.locks import Lock, key_of
from tests.at_once import at_once, end_threads
from tests.leaderboards.site import Site, make_site
from tests.ratings.arena import Played
from tests.throwaway import THROWAWAY

pytestmark = pytest.mark.django_db(transaction=True)
# In the restored site, by one process that knows it alone: a second restore that is refused, what is there, a match
# played, rated and told there, a restore that replaces, and one beside somebody else's session. Says what it saw.
GO_ON = """
import json
import os
import sys
from dataclasses import asdict
import psycopg
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.db.models.functions import Now
from config.backup.manifest import SESSION, count_rows
from events import outbox
from events.models import Event, Subscription
from leaderboards.models import Board
from ratings.models import Ladder, Match, MatchState, Participant, Player, RatingTrack
from ratings.runs.run import rate_track

def rows():
    with transaction.atomic():
        connection.cursor().execute(SESSION)
        return {name: asdict(rows) for name, rows in count_rows().items()}

def refusal(*options):
    try:
        call_command("restore", os.environ["BACKUP"], *options)
    except CommandError as error:
        return str(error)

seen = {"not empty": refusal(), "restored": rows()}
ladder = Ladder.objects.get()
track = RatingTrack.objects.get(shown=True)
before = Board.objects.get().revision
one, other = Player.objects.order_by("pk")[:2]
match = Match.objects.create(ladder=ladder, game=ladder.game, external_id="next", state=MatchState.CONFIRMED,
                             played_at=Now(), confirmed_at=Now())
for team, player in enumerate((one, other)):
    Participant.objects.create(match=match, player=player, team=team, rank=team)
report = rate_track(track.pk)
outbox.deliver()
seen["gone on"] = {"rated": report.matches, "followed": Board.objects.get().revision - before,
                   "waiting": Event.objects.filter(
                       transaction__gt=Subscription.objects.get(pk="leaderboards").transaction).count()}
call_command("restore", os.environ["BACKUP"], "--replace", verbosity=0)
seen["replaced"] = rows()
with psycopg.connect(os.environ["DATABASE_URL"]):
    seen["in use"] = refusal("--replace")
sys.stdout.write(json.dumps(seen))
"""


@pytest.fixture
def site() -> Site:
    """A ladder that was played on and rated, in a cluster that has seen a lot; one fact is not delivered yet."""
    site = make_site(system="elo", days=None)
    User.objects.create_user("ann", password="an old door")
    outbox.deliver()
    with connection.cursor() as cursor:
        for _ in range(
            3000
        ):  # else the other cluster, which is young, would be older than this one
            cursor.execute("SELECT pg_current_xact_id()")
    site.play(Played(20, 0, 1, 1.0))
    site.rate(day=21)
    outbox.deliver()
    return site


def installed() -> list[int]:
    """The major versions of PostgreSQL that are here."""
    folders = (folder for folder in binaries.postgres_folders() if (folder / "initdb").is_file())
    return sorted({binaries.postgres_major(folder) for folder in folders})


@pytest.fixture(params=installed())
def other(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    """The address of an empty database in a new cluster, of each PostgreSQL that is installed here."""
    folder = next(
        found
        for found in binaries.postgres_folders()
        if (found / "initdb").is_file() and binaries.postgres_major(found) == request.param
    )
    monkeypatch.setattr(postgres, "postgres_programs", lambda: folder)
    data = tmp_path / "other"
    with Servers(data, valkey=False, settings=THROWAWAY).in_use():
        yield paths.database_url(data)


def manage(address: str, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """A command on another database."""
    return subprocess.run(
        [sys.executable, str(PROJECT / "manage.py"), *words],
        env={
            **os.environ,
            "DATABASE_URL": address,
            "DJANGO_SETTINGS_MODULE": "config.settings.test",
            **more,
        },
        capture_output=True,
        text=True,
        check=False,
    )


def rows_of(said: dict[str, dict[str, Any]]) -> dict[str, Rows]:
    """Rows and hashes of all tables of another database, as the process there has said them."""
    return {name: Rows(**rows) for name, rows in said.items()}


def manifest_of(file: Path) -> Manifest:
    with zipfile.ZipFile(file) as archive:
        return Manifest.unpacked(archive.read(write.MANIFEST))


@pytest.mark.full
def test_a_younger_cluster_goes_on_where_the_old_one_was(
    site: Site, other: str, tmp_path: Path
) -> None:
    file = tmp_path / "site.zip"
    give_roles()  # as every site has them: restoring would make what is missing
    call_command("backup", str(file), verbosity=0)
    assert file.stat().st_mode & 0o777 == 0o600
    with psycopg.connect(other) as session:
        age = session.execute("SELECT pg_current_xact_id()::text::bigint").fetchone()
    assert age is not None
    assert age[0] < Subscription.objects.get(pk="leaderboards").transaction  # it is younger

    done = manage(other, "restore", str(file))
    assert done.returncode == 0, done.stderr
    gone_on = manage(other, "shell", "-v", "0", "-c", GO_ON, BACKUP=str(file))
    assert gone_on.returncode == 0, gone_on.stderr
    seen = json.loads(gone_on.stdout)
    assert "not empty: 1 in user, 1 in game" in seen["not empty"]
    before, after = manifest_of(file).tables, rows_of(seen["restored"])
    # They say whose transactions they count, and what time it is here.
    moved = {"events_event", "events_subscription"}
    # Events that readers knew may never have been: they begin anew.
    here = {"foundation_heartbeat", "events_notice"}
    assert {name for name in before if before[name] != after[name]} <= moved | here
    assert {name: before[name].rows for name in moved} == {name: after[name].rows for name in moved}
    assert before["ratings_ratingchange"].rows > 0
    assert seen["gone on"] == {"rated": 1, "followed": 1, "waiting": 0}
    again = rows_of(seen["replaced"])
    assert again["ratings_ratingchange"] == before["ratings_ratingchange"]
    assert "in use by 1 other session." in seen["in use"]


def rewritten(file: Path, **changes: Any) -> Path:
    """The same backup with another manifest."""
    bad = file.with_name("bad.zip")
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(bad, "w") as new:
        new.writestr(write.DUMP, old.read(write.DUMP))
        said = json.loads(old.read(write.MANIFEST)) | changes
        new.writestr(write.MANIFEST, json.dumps(said))
    return bad


def test_what_does_not_match_changes_nothing(site: Site, tmp_path: Path) -> None:
    file = tmp_path / "site.zip"
    call_command("backup", str(file), verbosity=0)
    tables: dict[str, dict[str, Any]] = {
        name: {"rows": t.rows, "hash": t.hash} for name, t in manifest_of(file).tables.items()
    }
    tables["ratings_rating"]["rows"] += 1
    bad = rewritten(file, tables=tables)
    with pytest.raises(CommandError, match=r"Nothing was changed.*ratings_rating has"):
        call_command("restore", str(bad), "--replace")
    assert User.objects.filter(username="ann").exists()
    for words, changes in (
        ("damaged", {"sha256": "0" * 64}),
        ("later release", {"migrations": ["ratings.9999_seasons"]}),
        ("Update to the last release", {"migrations": ["ratings.0001_initial"]}),
        ("format 2", {"format": 2}),
        ("manifest cannot be read", {"size": {}, "colour": 1}),
    ):
        with pytest.raises(CommandError, match=words):
            call_command("restore", str(rewritten(file, **changes)), "--replace")
    torn = tmp_path / "torn.zip"
    torn.write_bytes(file.read_bytes()[:-2000])
    with pytest.raises(CommandError, match="no backup of Evenmatch"):
        call_command("restore", str(torn), "--replace")
    with pytest.raises(CommandError, match=r"Cannot read .*: No such file"):
        call_command("restore", str(tmp_path / "nothing.zip"), "--replace")


@pytest.mark.full
def test_tables_are_not_changed_between_dump_and_hash(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A column that a migration adds in between would make a backup that nobody can restore."""

    def is_free(kind: str) -> bool:
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {kind}(%s)", [key_of(Lock.TABLES, 0)])
            return bool(cursor.fetchone()[0])

    seen = []

    def count_beside_others() -> Mapping[str, Rows]:
        for kind in ("pg_try_advisory_xact_lock", "pg_try_advisory_xact_lock_shared"):
            seen.extend(at_once([partial(is_free, kind)]))
        return count_rows()

    monkeypatch.setattr(write, "count_rows", count_beside_others)
    call_command("backup", str(tmp_path / "site.zip"), verbosity=0)
    assert seen == [False, True]  # `migrate` waits, another backup does not
    assert at_once([partial(is_free, "pg_try_advisory_xact_lock")]) == [True]
    end_threads()  # and their sessions, beside which nothing is restored
    said = StringIO()
    call_command("restore", str(tmp_path / "site.zip"), "--replace", stdout=said)
    tables = len(manifest_of(tmp_path / "site.zip").tables)
    assert f"Checked: {tables} tables equal" in said.getvalue()


def test_a_backup_that_fails_leaves_the_one_before(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "site.zip"
    file.write_bytes(b"the one before")
    monkeypatch.setattr(write, "address", lambda: ["--dbname=nowhere"])
    with pytest.raises(CommandError, match=r"No backup was written.*pg_dump failed"):
        call_command("backup", str(file))
    assert file.read_bytes() == b"the one before"
    assert list(tmp_path.iterdir()) == [file]
    with pytest.raises(CommandError, match="No such file or directory"):
        call_command("backup", str(tmp_path / "no folder" / "site.zip"))


def test_no_program_is_said_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(StartError, match="postgresql-client-99"):
        programs.dumping_programs(99)
    monkeypatch.setattr(programs, "postgres_folders", lambda: iter(()))
    with pytest.raises(StartError, match="postgresql-client"):
        programs.restoring_programs()
