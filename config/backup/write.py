"""Writing a backup: a dump and its manifest of one moment, checked before the file gets its name."""

import hashlib
import os
import subprocess
import tempfile
import zipfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import IO

from django.conf import settings
from django.db import connection, transaction
from django.db.migrations.recorder import MigrationRecorder

from config.backup.encryption import seal
from config.backup.manifest import SESSION, BadBackupError, Manifest, count_rows
from config.backup.programs import address, dumping_programs, environment
from config.backup.work_folder import work_folder
from foundation import clock
from foundation.postgresql.locks import Lock, together

__all__ = ["DUMP", "MANIFEST", "write"]

DUMP, MANIFEST = "database.dump", "manifest.json"
_PIECE = 1 << 20


def write(path: Path, *, key: str = "") -> Manifest:
    """Write a backup of the database to `path`, whole or not at all; a file of that name is replaced.

    With a public key it is sealed; before that it lies in the data folder, never where `path` is. The site goes on
    meanwhile. Raises BadBackupError when the dump cannot be made, or does not stand the check.
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # for its owner alone
    os.close(handle)
    partial = Path(name)
    try:
        if key:
            with work_folder() as work:
                manifest = _write_plain(work / "site.zip")
                seal(work / "site.zip", partial, key)
        else:
            manifest = _write_plain(partial)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)  # the new name is on disk too, not only the contents
    finally:
        os.close(folder)
    return manifest


def _write_plain(path: Path) -> Manifest:
    with path.open("wb") as file:
        with zipfile.ZipFile(file, "w") as archive:
            manifest = _dump_into(archive)
            archive.writestr(MANIFEST, manifest.packed())
        file.flush()
        os.fsync(file.fileno())
    _check(path, manifest)
    return manifest


def _dump_into(archive: zipfile.ZipFile) -> Manifest:
    # Whoever makes tables waits until all are hashed, not only until they are dumped: a row of one that got a column in
    # between would be another text, and what is in the dump would never match it.
    with together(Lock.TABLES), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute(SESSION)
        cursor.execute("SELECT pg_export_snapshot()")
        snapshot: str = cursor.fetchone()[0]
        major = connection.connection.info.server_version // 10_000
        applied = MigrationRecorder(connection).applied_migrations()
        manifest = Manifest(
            release=settings.VERSION,
            made_at=clock.now().isoformat(timespec="seconds"),
            postgresql=major,
            migrations=sorted(f"{app}.{name}" for app, name in applied),
        )
        kinds = ["--format=custom", "--no-owner", "--no-privileges", f"--snapshot={snapshot}"]
        program = str(dumping_programs(major) / "pg_dump")
        command = [program, *kinds, "--lock-wait-timeout=60s", *address()]
        digest, size = hashlib.sha256(), 0
        with (
            archive.open(DUMP, "w", force_zip64=True) as member,
            tempfile.TemporaryFile() as words,
        ):
            with subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=words, env=dict(environment())
            ) as dump:
                assert dump.stdout is not None  # noqa: S101 - tells mypy what PIPE means
                while piece := dump.stdout.read(_PIECE):
                    member.write(piece)
                    digest.update(piece)
                    size += len(piece)
            if dump.returncode != 0:
                words.seek(0)
                raise BadBackupError(f"pg_dump failed: {_last_line(words.read())}")
        tables = dict(count_rows())
    return replace(manifest, tables=tables, sha256=digest.hexdigest(), size=size)


def _check(path: Path, manifest: Manifest) -> None:
    """Read the file back: the dump is whole, and has every table."""
    programs = dumping_programs(manifest.postgresql)
    with zipfile.ZipFile(path) as archive, tempfile.TemporaryFile() as script:
        for options, into in ((["--list"], script), (["--file=/dev/null"], None)):
            with archive.open(DUMP) as member:
                _read(programs, options, member, into)
        script.seek(0)
        listed = {
            line.split(" TABLE DATA public ")[1].split(" ")[0]
            for line in script.read().decode(errors="replace").splitlines()
            if " TABLE DATA public " in line
        }
    if missing := manifest.tables.keys() - listed:
        raise BadBackupError(f"The dump lacks the tables {', '.join(sorted(missing))}.")


def _read(programs: Path, options: list[str], member: IO[bytes], into: IO[bytes] | None) -> None:
    with subprocess.Popen(
        [str(programs / "pg_restore"), *options],
        stdin=subprocess.PIPE,
        stdout=into or subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    ) as reader:
        assert reader.stdin is not None  # noqa: S101 - tells mypy what PIPE means
        assert reader.stderr is not None  # noqa: S101
        with suppress(BrokenPipeError), reader.stdin:  # a list needs the beginning only
            while piece := member.read(_PIECE):
                reader.stdin.write(piece)
        words = reader.stderr.read()
    if reader.returncode != 0:
        raise BadBackupError(f"The dump cannot be read back: {_last_line(words)}")


def _last_line(words: bytes) -> str:
    lines = words.decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else "it says nothing"
