"""`manage.py restore_admin`: the way back in for an admin who has lost password, second factor or rights."""

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils.translation import gettext as _

from accounts import audit
from accounts.access import end_access
from accounts.admin_actions import add_note_argument
from accounts.deletion import deletion_of_account
from accounts.entrance.backend import find_account
from accounts.entrance.links import link_to_reset
from accounts.factors.changes import reset_factor
from accounts.management.named_account import add_account_argument


class Command(BaseCommand):
    """See `help`."""

    help = (
        "Make an account an admin with all rights again, take its second factor away, end all that"
        " is open, and print a link by which its owner sets a new password: good once, for 24 hours."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_account_argument(parser)
        add_note_argument(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        user = find_account(options["account"])
        if user is None:
            words = _(
                "No account has the name or the confirmed address “%(name)s”. A new admin is made by"
                " manage.py createsuperuser."
            )
            raise CommandError(words % {"name": options["account"]})
        if deletion_of_account(user) is not None:
            words = _(
                "The account %(name)s was deleted, and is not opened again. A new admin is made by manage.py"
                " createsuperuser."
            )
            raise CommandError(words % {"name": user})
        rights = ("is_active", "is_staff", "is_superuser")
        with transaction.atomic():
            before = {name: getattr(user, name) for name in rights}
            user.is_active = user.is_staff = user.is_superuser = True
            user.save(update_fields=rights)
            audit.record(
                actor=None,
                action="user.admin_restored",
                target=user,
                before=before,
                after=dict.fromkeys(rights, True),
                note=options["note"],
            )
            reset_factor(user, actor=None, note=options["note"])
            end_access(user, why="admin restored", actor=None)
        self.stderr.write(_("For the account %(name)s:") % {"name": user})
        self.stdout.write(link_to_reset(user))
