"""`manage.py reset_link`: let somebody who lost a password set a new one."""

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from accounts import audit
from accounts.entrance.links import link_to_reset
from accounts.management.named_account import add_account_argument, named_account


class Command(BaseCommand):
    """See `help`."""

    help = "Print a link by which an account's owner sets a new password: good once, for 24 hours."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_account_argument(parser)
        parser.add_argument("--note", default="", metavar="WHY", help="kept in the audit log")

    def handle(self, *args: Any, **options: Any) -> None:
        user = named_account(options)
        if not user.is_active:
            words = _("The account %(name)s is closed, so a new password would not let anybody in.")
            raise CommandError(words % {"name": user})
        audit.record(actor=None, action="user.reset_link_made", target=user, note=options["note"])
        words = _("For the account %(name)s:")  # a name and an address may be of two
        self.stderr.write(words % {"name": user})
        self.stdout.write(link_to_reset(user))
