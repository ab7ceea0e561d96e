"""`manage.py archive`: take a game, a ladder, a queue or a rating track out of use, or into it again."""

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from accounts.admin_actions import add_note_argument
from foundation.archiving import Archivable
from foundation.refusals import RefusedError
from matchmaking.archived import searches_of
from matchmaking.models import Queue
from ratings.archiving import archive, restore
from ratings.models import Game, Ladder, RatingTrack

__all__ = ["Command"]

KINDS: dict[str, type[Archivable]] = {
    "game": Game,
    "ladder": Ladder,
    "queue": Queue,
    "track": RatingTrack,
}


class Command(BaseCommand):
    """See `help`."""

    help = (
        "Archive a game, a ladder, a queue or a rating track: it disappears from pages, search and the API, searches "
        "there end, matches under way end as usual, and everything is kept. With --restore it is back as it was."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("kind", choices=sorted(KINDS), help="what is meant")
        parser.add_argument(
            "name", help="its short name; of a track its number, as in the address of its page"
        )
        parser.add_argument("--restore", action="store_true", help="take it into use again")
        parser.add_argument("--dry-run", action="store_true", help="say what would end, and stop")
        add_note_argument(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        thing = _find(options["kind"], options["name"])
        searches = searches_of(thing).count()
        if options["dry_run"]:
            words = {"thing": thing, "searches": 0 if options["restore"] else searches}
            self.stdout.write(_("%(thing)s: %(searches)d searches would end.") % words)
            return
        try:
            (restore if options["restore"] else archive)(thing, by=None, note=options["note"])
        except RefusedError as error:
            raise CommandError(str(error)) from error
        told = (
            _("%(thing)s is in use again.") if options["restore"] else _("%(thing)s is archived.")
        )
        self.stdout.write(told % {"thing": thing})


def _find(kind: str, name: str) -> Archivable:
    model = KINDS[kind]
    if model is RatingTrack and not (name.isascii() and name.isdigit() and len(name) < 19):
        raise CommandError(_("A track goes by its number, not “%(name)s”.") % {"name": name})
    wanted = {"pk": name} if model is RatingTrack else {"slug": name}
    found: Archivable | None = model._default_manager.filter(**wanted).first()
    if found is None:
        words = _("There is no %(kind)s “%(name)s”. Nothing was changed.")
        raise CommandError(words % {"kind": model._meta.verbose_name, "name": name})
    return found
