"""`manage.py reset_second_factor`: let somebody in again who lost the second factor."""

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from accounts.admin_actions import read_note
from accounts.entrance.backend import find_account
from accounts.factors.changes import reset_factor


class Command(BaseCommand):
    """See `help`."""

    help = "Take an account's second factor away: its owner signs in with the password, and may set up another."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("account", metavar="NAME", help="name, or confirmed address")
        parser.add_argument(
            "--note", type=read_note, required=True, metavar="WHY", help="kept in the audit log"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        user = find_account(options["account"])
        if user is None:
            words = _("No account has the name or the confirmed address “%(name)s”.")
            raise CommandError(words % {"name": options["account"]})
        if not reset_factor(user, actor=None, note=options["note"]):
            self.stdout.write(_("%(name)s had no second factor.") % {"name": user})
            return
        self.stdout.write(_("%(name)s signs in without a second factor now.") % {"name": user})
