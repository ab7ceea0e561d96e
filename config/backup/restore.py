"""Restoring a backup in one transaction: all of it, checked against its manifest, or nothing."""

import hashlib
import subprocess
import tempfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from io import BufferedIOBase
from pathlib import Path
from threading import Thread
from typing import IO, cast

from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from psycopg import sql

from config.backup.manifest import SESSION, BadBackupError, Manifest, hash_of
from config.backup.programs import address, environment, restoring_programs
from config.backup.write import DUMP, MANIFEST
from config.older_tables import why_too_old
from events.live.notices import begin_anew
from events.renumber import renumber
from foundation.timekeeping import trust

__all__ = ["others_at_work", "read_manifest", "restore", "what_is_there"]

_PIECE = 1 << 20
_HEADER_LINES = 200
# For which sessions that are being closed are waited for.
_GOING_SECONDS = 5.0
# What a site is about: games, accounts, matches. A site that was only just started has none of them.
_KEPT = ("accounts_user", "ratings_game", "ratings_player", "ratings_match")
_EMPTY = """
DO $empty$ DECLARE one record; routine text; BEGIN
    FOR one IN
        SELECT format('public.%I', relname) AS name, CASE relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW'
            WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END AS kind
        FROM pg_class AS thing WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S')
        AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = thing.oid AND deptype = 'e')
        ORDER BY relkind = 'S'
    LOOP
        EXECUTE format('DROP %s IF EXISTS %s CASCADE', one.kind, one.name);
    END LOOP;
    -- Their text all at once: what is dropped with another has no name any more.
    FOREACH routine IN ARRAY (
        SELECT coalesce(array_agg(oid::regprocedure::text), '{}') FROM pg_proc AS thing
        WHERE pronamespace = 'public'::regnamespace
        AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = thing.oid AND deptype = 'e'))
    LOOP
        EXECUTE format('DROP ROUTINE IF EXISTS %s CASCADE', routine);
    END LOOP;
END $empty$;
"""


def read_manifest(path: Path) -> Manifest:
    """Read what a backup says of itself. Raises BadBackupError for a file that cannot be restored here."""
    try:
        with zipfile.ZipFile(path) as archive:
            manifest = Manifest.unpacked(archive.read(MANIFEST))
            with archive.open(DUMP) as dump:
                digest = hashlib.file_digest(cast("BufferedIOBase", dump), "sha256")
                if digest.hexdigest() != manifest.sha256:
                    raise BadBackupError("Its dump is not the one that was written: it is damaged.")
    except (zipfile.BadZipFile, KeyError) as error:
        raise BadBackupError(f"It is no backup of Evenmatch, or damaged: {error}.") from error
    here = MigrationLoader(None).disk_migrations
    known = set(here).union(*(migration.replaces for migration in here.values()))
    if newer := set(manifest.migrations) - {f"{app}.{name}" for app, name in known}:
        raise BadBackupError(
            f"It was made by a later release ({manifest.release}): this one does not know "
            f"{', '.join(sorted(newer)[:3])}. Install that release first."
        )
    applied = [(app, name) for app, _, name in (one.partition(".") for one in manifest.migrations)]
    if why := why_too_old(applied):
        raise BadBackupError(why)
    return manifest


def what_is_there() -> dict[str, int]:
    """What would be lost: rows of the tables that matter, by name. Empty for an empty site."""
    found: dict[str, int] = {}
    with connection.cursor() as cursor:
        present = set(connection.introspection.table_names(cursor))
        for table in _KEPT:
            if table in present:
                cursor.execute(sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table)))
                found[table.partition("_")[2]] = cursor.fetchone()[0]
    return {name: number for name, number in found.items() if number}


def others_at_work() -> int:
    """How many other sessions of clients use the database, and go on to: one that was closed a moment ago stays in
    PostgreSQL's list until its process has ended, which takes a busy machine a while.
    """
    last = time.monotonic() + _GOING_SECONDS
    while True:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
            )
            found: int = cursor.fetchone()[0]
        if not found or time.monotonic() >= last:
            return found
        time.sleep(0.1)


def restore(path: Path, manifest: Manifest) -> None:
    """Put the backup in the place of all that is in the database, then bring its tables up to this release.

    Raises BadBackupError, and then nothing has been changed.
    """
    programs = restoring_programs()
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM pg_settings")
        known = {name for (name,) in cursor.fetchall()}
    connection.close()
    with (
        zipfile.ZipFile(path) as archive,
        archive.open(DUMP) as dump,
        tempfile.TemporaryFile() as words,
        subprocess.Popen(
            [str(programs / "pg_restore"), "--no-owner", "--no-privileges", "--file=-"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=words,
        ) as reader,
        subprocess.Popen(
            [str(programs / "psql"), "-X", "-q", "-v", "ON_ERROR_STOP=1", *address()],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=words,
            env=dict(environment()),
        ) as writer,
    ):
        assert reader.stdin is not None  # noqa: S101 - tells mypy what PIPE means
        assert reader.stdout is not None  # noqa: S101
        assert writer.stdin is not None  # noqa: S101
        feeder = Thread(target=_feed, args=[dump, reader.stdin], daemon=True)
        feeder.start()
        with suppress(BrokenPipeError), writer.stdin:
            writer.stdin.write(f"BEGIN;\n{_EMPTY}".encode())
            for piece in _script(reader.stdout, known):
                writer.stdin.write(piece)
            # Only a dump that was read to its end is worth keeping.
            if reader.wait() == 0:
                writer.stdin.write(_comparison(manifest).encode())
        reader.stdout.close()
        feeder.join()
        if reader.wait() != 0 or writer.wait() != 0:
            words.seek(0)
            lines = words.read().decode(errors="replace").strip().splitlines()
            errors = [line for line in lines if "error" in line.lower()]
            why = (errors or lines or ["It was cut short, nobody says why."])[0]
            raise BadBackupError(f"Nothing was changed. {why}")
    call_command("migrate", verbosity=0, interactive=False)
    renumber()
    begin_anew()  # of what readers have been told some is undone
    trust()  # whoever restores is there, and heartbeats of another time or machine say nothing
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _feed(dump: IO[bytes], into: IO[bytes]) -> None:
    with suppress(BrokenPipeError), into:
        while piece := dump.read(_PIECE):
            into.write(piece)


def _script(script: IO[bytes], known: set[str]) -> Iterator[bytes]:
    """The SQL of a dump, without the settings at its head that this server does not have.

    A newer pg_restore sets some that an older server has not heard of: PostgreSQL 17 brought `transaction_timeout`.
    """
    for _ in range(_HEADER_LINES):
        line = script.readline()
        if not line or line.startswith(b"-- Name: "):
            yield line
            break
        words = line.decode(errors="replace").split()
        if words[:1] == ["SET"] and words[1] not in known:
            continue
        yield line
    while piece := script.read(_PIECE):
        yield piece


def _comparison(manifest: Manifest) -> str:
    """SQL that ends the transaction: with an error where a table is not what the manifest says."""
    parts = [
        sql.SQL(
            "SELECT * INTO number, digest FROM ({ask}) AS counted;\n"
            "IF (number, digest) IS DISTINCT FROM ({rows}, {hash}) THEN"
            " RAISE EXCEPTION 'table % has % rows and does not match the manifest', {name}, number; END IF;\n"
        ).format(
            ask=hash_of(name),
            rows=sql.SQL("{}::bigint").format(sql.Literal(table.rows)),
            hash=sql.SQL("{}::text").format(sql.Literal(table.hash)),
            name=sql.Literal(name),
        )
        for name, table in sorted(manifest.tables.items())
    ]
    checks = sql.Composed(parts).as_string(None)
    return f"{SESSION}\nDO $compare$ DECLARE number bigint; digest text; BEGIN\n{checks}END $compare$;\nCOMMIT;\n"
