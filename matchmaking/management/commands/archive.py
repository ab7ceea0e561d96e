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
from ratings.archiving import archive, restore, say_restored
from ratings.models import Game, GameServer, Ladder, RatingTrack

__all__ = ["Command"]

KINDS: dict[str, type[Archivable]] = {
    "game": Game,
    "ladder": Ladder,
    "queue": Queue,
    "server": GameServer,
    "track": RatingTrack,
}


class Command(BaseCommand):
    """See `help`."""

    help = (
        "Archive a game, a ladder, a queue, a game server or a rating track: it disappears from pages, search and the "
        "API, searches there end, matches under way end as usual, and everything is kept. With --restore it is back as "
        "it was."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("kind", choices=sorted(KINDS), help="what is meant")
        parser.add_argument(
            "name",
            help="its short name, of a server GAME/SHORT-NAME; of a track its number, as in the address of its page",
        )
        parser.add_argument("--restore", action="store_true", help="take it into use again")
        parser.add_argument("--dry-run", action="store_true", help="say what would end, and stop")
        add_note_argument(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        thing = _find(options["kind"], options["name"])
        if options["dry_run"]:
            self.stdout.write(_foreseen(thing, restores=options["restore"]))
            return
        try:
            (restore if options["restore"] else archive)(thing, by=None, note=options["note"])
        except RefusedError as error:
            raise CommandError(str(error)) from error
        archived = _("%(thing)s is archived.") % {"thing": thing}
        self.stdout.write(say_restored(thing) if options["restore"] else archived)


def _foreseen(thing: Archivable, *, restores: bool) -> str:
    """What archiving or restoring it would do."""
    is_archived = thing.archived_at is not None
    if restores:
        told = _("%(thing)s would be restored.") if is_archived else _("%(thing)s is not archived.")
    elif is_archived:
        told = _("%(thing)s is archived already.")
    else:
        told = _("%(thing)s: %(searches)d searches would end.")
    return told % {"thing": thing, "searches": searches_of(thing).count()}


def _find(kind: str, name: str) -> Archivable:
    model = KINDS[kind]
    if model is RatingTrack and not (name.isascii() and name.isdigit() and len(name) < 19):
        raise CommandError(_("A track goes by its number, not “%(name)s”.") % {"name": name})
    wanted = {"pk": name} if model is RatingTrack else {"slug": name}
    if model is GameServer:
        game, _slash, slug = name.partition("/")
        wanted = {"game__slug": game, "slug": slug}
    found: Archivable | None = model._default_manager.filter(**wanted).first()
    if found is None:
        words = _("There is no %(kind)s “%(name)s”. Nothing was changed.")
        raise CommandError(words % {"kind": model._meta.verbose_name, "name": name})
    return found
