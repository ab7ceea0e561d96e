"""`manage.py migrate`: Django's, one at a time."""

from typing import Any

from django.core.management.commands import migrate

from foundation.locks import Lock, alone


class Command(migrate.Command):
    """Waits for another that is making the tables: two at once would fail at what the other has just made."""

    def handle(self, *args: Any, **options: Any) -> None:
        with alone(Lock.TABLES):
            super().handle(*args, **options)
