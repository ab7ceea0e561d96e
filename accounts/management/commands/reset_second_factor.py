"""`manage.py reset_second_factor`: let somebody in again who lost the second factor."""

import argparse
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from accounts.admin_actions import add_note_argument
from accounts.factors.changes import reset_factor
from accounts.management.named_account import add_account_argument, named_account


class Command(BaseCommand):
    """See `help`."""

    help = "Take an account's second factor away: its owner signs in with the password, and may set up another."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_account_argument(parser)
        add_note_argument(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        user = named_account(options)
        if not reset_factor(user, actor=None, note=options["note"]):
            self.stdout.write(_("%(name)s had no second factor.") % {"name": user})
            return
        self.stdout.write(_("%(name)s signs in without a second factor now.") % {"name": user})
