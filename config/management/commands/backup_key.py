"""`manage.py backup_key FILE`: a key that opens backups, and the one that seals them."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.backup.encryption import make_key_file, public_key_of
from config.backup.manifest import BadBackupError


class Command(BaseCommand):
    """See docs/installing.md, "Backups by themselves"."""

    help = (
        "Make a key file that opens sealed backups, and print the public key that seals them; "
        "of a key file that is there, print the public key only."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="such as evenmatch.key")

    def handle(self, *, file: Path, **_: Any) -> None:
        path = file.expanduser().absolute()
        try:
            try:
                public = make_key_file(path)
                self.stderr.write(
                    f"{path} opens what the key below seals. Take it off this machine, and keep it twice: "
                    "without it no sealed backup can be read."
                )
            except FileExistsError:
                public = public_key_of(path)
        except BadBackupError as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"Cannot make {path}: {error.strerror}.") from error
        self.stdout.write(public)
