"""`manage.py changepassword`: Django's, for accounts whose person is there."""

from typing import Any

from django.contrib.auth.management.commands import changepassword

from accounts.entrance.backend import find_account
from accounts.management.named_account import refuse_deleted_account


class Command(changepassword.Command):
    """Refuses the account of somebody deleted, which a password would open again."""

    def handle(self, *args: Any, **options: Any) -> str | None:
        account = find_account(options["username"] or "")
        if account is not None:
            refuse_deleted_account(account)
        said: str | None = super().handle(*args, **options)
        return said
