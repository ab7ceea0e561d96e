"""`manage.py delete_person`: take what names or describes a person out of the site."""

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from accounts.admin_actions import read_note
from accounts.models import User
from api.site.delete_person import delete_account, delete_player, deletion_of, is_named_in
from api.site.foreseen import deleted_already, foresee, would_keep_a_name
from foundation.refusals import RefusedError
from ratings.models import Player

__all__ = ["Command"]


class Command(BaseCommand):
    """See `help`."""

    help = (
        "Delete a person: an account with its players, or one player whom a game brings. Names, ids in the game, "
        "addresses and free text go; matches and the ledger stay, and no rating changes. It cannot be taken back."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        who = parser.add_mutually_exclusive_group(required=True)
        who.add_argument("--account", metavar="NAME", help="name of an account")
        who.add_argument("--player", type=int, metavar="NUMBER", help="number of a player")
        parser.add_argument(
            "--dry-run", action="store_true", help="say what would be taken out, and stop"
        )
        parser.add_argument(
            "--note",
            type=read_note,
            help="why, without naming them; kept in the audit log. Needed unless --dry-run",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        who: User | Player | None
        if options["account"] is not None:
            who = User.objects.filter(username=options["account"]).first()
            if who is None:
                words = _("There is no account “%(name)s”. Nothing was deleted.")
                raise CommandError(words % {"name": options["account"]})
        else:
            players = Player.objects.filter(pk=options["player"]).select_related("game")
            who = players.first()
            if who is None:
                words = _("There is no player %(number)d. Nothing was deleted.")
                raise CommandError(words % {"number": options["player"]})
        if options["note"] is None and not options["dry_run"]:
            raise CommandError(_("Say why, with --note. Nothing was changed."))
        if options["note"] is not None and is_named_in(options["note"], who):
            raise CommandError(would_keep_a_name())
        try:
            if options["dry_run"]:
                self._foresee(who)
            else:
                self._delete(who, options["note"])
        except RefusedError as error:
            raise CommandError(str(error)) from error

    def _delete(self, who: User | Player, note: str) -> None:
        if isinstance(who, User):
            earlier = delete_account(who, by=None, note=note)
            done = _("The account is deleted. Its row is %s now.") % who.username
        else:
            earlier = delete_player(who, by=None, note=note)
            done = _("What was known of player %d is deleted.") % who.pk
        self.stdout.write(done if earlier is None else deleted_already(earlier))

    def _foresee(self, who: User | Player) -> None:
        if (earlier := deletion_of(who)) is not None:
            self.stdout.write(deleted_already(earlier))
            return
        for title, lines in foresee(who):
            self.stdout.write("\n".join([title, *(f"  {line}" for line in lines)]))
        self.stdout.write(_("Nothing was changed: this was a dry run."))
