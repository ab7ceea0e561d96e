"""The account that a command is about."""

import argparse
from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from accounts.deletion import deletion_of_account
from accounts.entrance.backend import find_account
from accounts.models import User

__all__ = ["add_account_argument", "named_account", "refuse_deleted_account"]


def add_account_argument(parser: argparse.ArgumentParser) -> None:
    """NAME, as one would sign in with it."""
    parser.add_argument("account", metavar="NAME", help="name, or confirmed address")


def named_account(options: Mapping[str, Any]) -> User:
    """The account that the argument names, whose person is there. Raises CommandError."""
    account = find_account(options["account"])
    if account is None:
        words = _("No account has the name or the confirmed address “%(name)s”.")
        raise CommandError(words % {"name": options["account"]})
    refuse_deleted_account(account)
    return account


def refuse_deleted_account(account: User) -> None:
    """Nothing is given to the row that deleting a person leaves. Raises CommandError."""
    if deletion_of_account(account) is not None:
        words = _("The account %(name)s was deleted. Nothing was changed.")
        raise CommandError(words % {"name": account})
