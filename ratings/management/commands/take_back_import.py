"""`manage.py take_back_import`: let an imported file count no longer, as if it had never been taken in."""

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from accounts.admin_actions import read_note
from foundation.refusals import RefusedError
from ratings.importing.take_back import Foreseen, foresee_taking_back, take_back
from ratings.management.catch_up import catch_up
from ratings.models import ImportedFile, RatingTrack, TrackState
from ratings.runs.load import UnratableMatchError

__all__ = ["Command"]


class Command(BaseCommand):
    """See `help`."""

    help = (
        "Take back an import: its matches count no longer, players whom only it has made are gone from pages, and the "
        "file can be imported again. Nothing is deleted. Without a number: list the imports."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "import", nargs="?", type=int, metavar="NUMBER", help="number of the import"
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="say what would follow, and stop"
        )
        parser.add_argument(
            "--note", type=read_note, help="why; kept in the audit log. Needed unless --dry-run"
        )
        parser.add_argument(
            "--wait",
            action="store_true",
            help="compute the new ratings here if no worker does, and end when they are shown",
        )
        parser.add_argument("--quiet", action="store_true", help="no summary")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["import"] is None:
            self._list()
            return
        files = ImportedFile.objects.select_related("ladder")
        file = files.filter(pk=options["import"]).first()
        if file is None:
            words = _("There is no import %(number)d. Without a number this command lists them.")
            raise CommandError(words % {"number": options["import"]})
        if options["dry_run"]:
            self._foresee(file, foresee_taking_back(file))
            return
        if options["note"] is None:
            raise CommandError(_("Say why, with --note. Nothing was changed."))
        try:
            done = take_back(file_id=file.pk, by=None, note=options["note"])
        except RefusedError as error:
            raise CommandError(str(error)) from error
        if not options["quiet"]:
            words = _(
                "%(file)s is taken back: %(matches)d matches annulled, %(players)d players archived."
            )
            said = {"file": file, "matches": done.matches, "players": done.players}
            self.stdout.write(words % said)
        replays = RatingTrack.objects.filter(ladder=file.ladder, state=TrackState.REPLAY)
        try:
            while options["wait"] and replays.exists():
                catch_up(file.ladder, quiet=options["quiet"])
        except UnratableMatchError as error:
            raise CommandError(f"{file.ladder.slug}: {error}") from error

    def _list(self) -> None:
        for file in ImportedFile.objects.select_related("ladder").order_by("pk"):
            words = _("%(number)d  %(at)s  %(ladder)s  %(file)s  %(matches)d matches")
            said = {
                "number": file.pk,
                "at": f"{file.imported_at:%Y-%m-%d %H:%M}",
                "ladder": file.ladder.slug,
                "file": file,
                "matches": file.new_matches,
            }
            back = "" if file.taken_back_at is None else "  " + _("taken back")
            self.stdout.write(words % said + back)

    def _foresee(self, file: ImportedFile, foreseen: Foreseen) -> None:
        if file.taken_back_at is not None:
            raise CommandError(_("This import was taken back before. Nothing was changed."))
        for one in foreseen.annulled.ladders:
            words = {"ladder": one.ladder.slug, "matches": one.matches, "later": one.later}
            line = _("%(ladder)s: %(matches)d to annul, %(later)d after the first of them") % words
            self.stdout.write(line)
        line = _("%(count)d players would be archived: only this import has made and used them.")
        self.stdout.write(line % {"count": foreseen.players})
        if foreseen.names:
            self.stdout.write("  " + ", ".join(foreseen.names))
