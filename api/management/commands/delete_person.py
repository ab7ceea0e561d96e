"""`manage.py delete_person`: take what names or describes a person out of the site."""

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from accounts.admin_actions import read_note
from accounts.models import User
from api.site.delete_person import delete_account, delete_player
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
            "--note", required=True, type=read_note, help="why; kept in the audit log"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["account"] is not None:
            user = User.objects.filter(username=options["account"]).first()
            if user is None:
                words = _("There is no account “%(name)s”. Nothing was deleted.")
                raise CommandError(words % {"name": options["account"]})
            delete_account(user, by=None, note=options["note"])
            self.stdout.write(_("The account is deleted. Its row is %s now.") % user.username)
            return
        found = Player.objects.filter(pk=options["player"]).select_related("game").first()
        if found is None:
            words = _("There is no player %(number)d. Nothing was deleted.")
            raise CommandError(words % {"number": options["player"]})
        delete_player(found, by=None, note=options["note"])
        self.stdout.write(_("What was known of player %d is deleted.") % found.pk)
