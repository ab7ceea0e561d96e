"""`manage.py reset_link`: let somebody who lost a password set a new one."""

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from accounts import audit
from accounts.entrance.backend import find_account
from accounts.entrance.links import link_to_reset


class Command(BaseCommand):
    """See `help`."""

    help = "Print a link by which an account's owner sets a new password: good once, for 24 hours."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("account", metavar="NAME", help="name, or confirmed address")
        parser.add_argument("--note", default="", metavar="WHY", help="kept in the audit log")

    def handle(self, *args: Any, **options: Any) -> None:
        user = find_account(options["account"])
        if user is None:
            words = _("No account has the name or the confirmed address “%(name)s”.")
            raise CommandError(words % {"name": options["account"]})
        if not user.is_active:
            words = _("The account %(name)s is closed, so a new password would not let anybody in.")
            raise CommandError(words % {"name": user})
        audit.record(actor=None, action="user.reset_link_made", target=user, note=options["note"])
        words = _("For the account %(name)s:")  # a name and an address may be of two
        self.stderr.write(words % {"name": user})
        self.stdout.write(link_to_reset(user))
