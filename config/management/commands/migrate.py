"""`manage.py migrate`: Django's, one at a time."""

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import connections
from django.db.migrations.recorder import MigrationRecorder

from accounts.roles import give_roles
from config.older_tables import why_too_old
from foundation.locks import Lock, alone


class Command(migrate.Command):
    """Waits for another that is making the tables: two at once would fail at what the other has just made.

    Refuses tables that are too old. Where all tables are made, so are the ready roles.
    """

    def handle(self, *args: Any, **options: Any) -> None:
        with alone(Lock.TABLES):
            recorder = MigrationRecorder(connections[options["database"]])
            if why := why_too_old(recorder.applied_migrations()):
                raise CommandError(why)
            super().handle(*args, **options)
            is_for_all = options["app_label"] is None and not (
                options["plan"] or options["check_unapplied"]
            )
            if is_for_all:
                give_roles()
