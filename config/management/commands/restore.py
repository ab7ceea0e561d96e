"""`manage.py restore FILE`: the database becomes what it was when the file was written."""

from argparse import ArgumentParser
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.core.management.base import BaseCommand, CommandError

from config.backup.deletions import (
    delete_again,
    keep_deletions,
    known_deletions,
    note_deletions,
)
from config.backup.encryption import is_sealed, unseal
from config.backup.manifest import BadBackupError
from config.backup.restore import others_at_work, read_manifest, restore, what_is_there
from config.backup.work_folder import work_folder
from config.embedded.locks import FileLock
from config.embedded.paths import run_dir


class Command(BaseCommand):
    """See docs/operators.md, "Backups"."""

    help = "Put the database back to what a file of `manage.py backup` holds."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="what `manage.py backup` wrote")
        parser.add_argument(
            "--replace",
            action="store_true",
            help="although the site has games, players or accounts",
        )

        parser.add_argument(
            "--key", type=Path, metavar="FILE", help="the key file that opens a sealed backup"
        )

    def handle(
        self, *, file: Path, replace: bool, key: Path | None, verbosity: int, **_: Any
    ) -> None:
        path = file.expanduser().absolute()
        run = run_dir(settings.DATA_DIR)
        run.mkdir(parents=True, exist_ok=True)
        lock = FileLock(run / "site.pid")
        opened = ExitStack()
        try:
            if not lock.try_alone():
                raise CommandError("Evenmatch runs on this data folder. Stop it first.")
            plain = path
            if is_sealed(path):
                if key is None:
                    raise CommandError(
                        f"{path} is sealed: name the key file that opens it, --key FILE."
                    )
                plain = opened.enter_context(work_folder()) / "site.zip"
                unseal(path, plain, key.expanduser())
            manifest = read_manifest(plain)
            there = what_is_there()
            if there and not replace:
                kept = ", ".join(f"{number:,} in {name}" for name, number in there.items())
                raise CommandError(
                    f"This site is not empty: {kept}. All of it would be gone. "
                    "Write a backup of it, then say --replace."
                )
            if others := others_at_work():
                sessions = "1 other session" if others == 1 else f"{others} other sessions"
                raise CommandError(
                    f"The database is in use by {sessions}. Stop the site and its workers first."
                )
            lists = {path.parent, Path(settings.BACKUP_DIR or settings.DATA_DIR), settings.DATA_DIR}
            gone = known_deletions(lists)
            # Of some only this database tells, and it is replaced: should we be ended now, the next restore knows them.
            keep_deletions(settings.DATA_DIR, gone)
            restore(plain, manifest)
            deleted = delete_again(gone)
            for folder in lists - {path.parent}:
                with suppress(OSError):  # it is restored, and a worker brings the list up to date
                    note_deletions(folder)
            cache.clear()
        except (BadBackupError, ValueError) as error:
            raise CommandError(f"{path} was not restored. {error}") from error
        except OSError as error:
            where = error.filename or path  # perhaps the key file
            raise CommandError(f"Cannot read {where}: {error.strerror or error}.") from error
        finally:
            opened.close()
            lock.close()
        if deleted:  # whatever the verbosity: somebody may have to be told
            persons = "1 person or player" if deleted == 1 else f"{deleted} persons and players"
            self.stdout.write(f"Deleted again: {persons} who had been deleted since.")
        if verbosity:
            rows = sum(table.rows for table in manifest.tables.values())
            self.stdout.write(
                f"Restored {rows:,} rows from {manifest.made_at}. Checked: {len(manifest.tables)} tables equal, "
                "each counted and hashed. Start the site again."
            )
