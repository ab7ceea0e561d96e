"""`manage.py migrate`: Django's, one at a time, and beside a site that runs."""

import time
from contextlib import suppress
from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import OperationalError, ProgrammingError, connection, connections
from django.db.migrations import Migration
from django.db.migrations.recorder import MigrationRecorder
from psycopg.errors import DeadlockDetected, LockNotAvailable

from accounts.roles import give_roles
from config.older_tables import why_too_old
from config.tables_at_once import take_tables_first
from foundation.postgresql.locks import Lock, alone

# Milliseconds for which it waits for a table, at its first try, the next ones, and all others. Whoever wants the table
# meanwhile waits behind us, and gives up after five seconds (foundation/postgresql/transactions.py). PostgreSQL looks
# for a deadlock after one, and would end a request: only a site so busy that a minute had no shorter gap has that to
# fear.
LOCK_TIMEOUTS = (500, 500, *[900] * 30, 2000, 4000)
# Whoever looks for a deadlock and finds one is ended by it: it is to be us, who try again. For superusers alone.
LOOK_EARLY = "SET deadlock_timeout = '50ms'"
UNLIMITED = "RESET lock_timeout"
AGAIN_AFTER = 1.0  # seconds in which those go on who had to wait
PATIENCE = 600.0
_LONGEST = """
SELECT pid, application_name, (now() - xact_start)::text, left(regexp_replace(query, '\\s+', ' ', 'g'), 80)
FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
ORDER BY xact_start LIMIT 1
"""


class Command(migrate.Command):
    """Waits for another that is making the tables: two at once would fail at what the other has just made.

    Refuses tables that are too old. Where all tables are made, so are the ready roles. Where somebody uses a table for
    longer (a backup, a rating run) it lets those go first who wait behind it, and tries that migration again.
    """

    _tries = 0

    def handle(self, *args: Any, **options: Any) -> None:
        with alone(Lock.TABLES):
            with suppress(ProgrammingError), connection.cursor() as cursor:
                cursor.execute(LOOK_EARLY)
            recorder = MigrationRecorder(connections[options["database"]])
            if why := why_too_old(recorder.applied_migrations()):
                raise CommandError(why)
            self._migrate(*args, **options)
            is_for_all = options["app_label"] is None and not (
                options["plan"] or options["check_unapplied"]
            )
            if is_for_all:
                give_roles()

    def migration_progress_callback(
        self, action: str, migration: Migration | None = None, fake: bool = False
    ) -> None:
        """Have a migration take its tables at once, and limit its waits, in step with what Django says of it."""
        super().migration_progress_callback(action, migration, fake)
        if action == "apply_start" and migration is not None and not fake:
            take_tables_first(migration)
        # What is not atomic makes indexes beside the work: it waits for everybody, and keeps nobody waiting.
        is_limited = action in {"apply_start", "unapply_start"} and getattr(
            migration, "atomic", False
        )
        with connection.cursor() as cursor:
            limit = LOCK_TIMEOUTS[min(self._tries, len(LOCK_TIMEOUTS) - 1)]
            cursor.execute(f"SET lock_timeout = {limit}" if is_limited else UNLIMITED)

    def _migrate(self, *args: Any, **options: Any) -> None:
        began = time.monotonic()
        while True:
            try:
                super().handle(*args, **options)
                return
            except OperationalError as error:
                if not isinstance(error.__cause__, LockNotAvailable | DeadlockDetected):
                    raise
                with connection.cursor() as cursor:
                    cursor.execute(UNLIMITED)
                    cursor.execute(_LONGEST)
                    longest = cursor.fetchone()
                who = "process {} ({}) for {}: {}".format(*longest) if longest else "nobody now"
                if time.monotonic() > began + PATIENCE:
                    raise CommandError(
                        f"The tables are in use, longest by {who}. What was made stays; try again."
                    ) from error
                if options["verbosity"]:
                    self.stdout.write(f"\n  The tables are in use, longest by {who}; again…")
                self._tries += 1
                time.sleep(AGAIN_AFTER)
