"""`manage.py backup FILE`: the whole database in one checked file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config.backup.deletions import note_deletions
from config.backup.manifest import BadBackupError
from config.backup.write import write
from config.embedded.paths import StartError
from config.settings.environment import check_settings


class Command(BaseCommand):
    """See docs/operators.md, "Backups"."""

    help = "Write the whole database to one file, while the site runs, and check it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", type=Path, help="such as evenmatch.zip; replaced if it is there"
        )

        parser.add_argument(
            "--key",
            default=settings.BACKUP_KEY,
            help="seal it for the owner of this public key (`manage.py backup_key`); default: EVENMATCH_BACKUP_KEY",
        )

    def handle(self, *, file: Path, key: str, verbosity: int, **_: Any) -> None:
        path = file.expanduser().absolute()
        try:
            check_settings({"EVENMATCH_BACKUP_KEY": key})
            manifest = write(path, key=key)
            if "accounts_auditentry" in manifest.tables:
                note_deletions(path.parent)
        except (BadBackupError, StartError, ValueError) as error:
            raise CommandError(f"No backup was written. {error}") from error
        except OSError as error:
            raise CommandError(f"No backup was written to {path}: {error.strerror}.") from error
        if verbosity:
            rows = sum(table.rows for table in manifest.tables.values())
            size = path.stat().st_size / 1e6
            self.stdout.write(
                f"{path}: {rows:,} rows of {len(manifest.tables)} tables, {size:,.1f} MB, read back and whole."
            )
