"""What `manage.py` does before Django: have the servers of the data folder running if need be."""

import os
import signal
import sys
import warnings
from contextlib import AbstractContextManager, nullcontext
from types import FrameType

from config.embedded.commands import has_given_database, manage_command
from config.embedded.paths import StartError, data_dir
from config.embedded.servers import Servers
from config.settings.environment import check_settings
from config.settings.settings_file import take_settings_file

# These neither read nor write the database, so they do not wait for one to start.
WITHOUT_SERVERS = frozenset(
    {
        "check",
        "backup_key",
        "collectstatic",
        "compilemessages",
        "diffsettings",
        "findstatic",
        "help",
        "makemessages",
        "makemigrations",
        "rank_frags",
        "rate_frags",
        "simulate_behaviour",
        "simulate_conduct",
        "simulate_tastes",
        "spectacular",
        "startapp",
        "startproject",
        "version",
    }
)
# These do not need the tables of this release, or make them.
WITHOUT_TABLES = frozenset(
    {
        "backup",
        "createcachetable",
        "dbshell",
        "flush",
        "inspectdb",
        "migrate",
        "optimizemigration",
        "restore",
        "runserver",
        "shell",
        "showmigrations",
        "sqlflush",
        "sqlmigrate",
        "squashmigrations",
        "test",
        "testserver",
    }
)
# These work on a file alone, unless a ladder is named.
WITH_A_LADDER = frozenset({"backtest", "tune"})
# makemigrations looks at the database only to warn when its history is inconsistent.
NO_HISTORY = "Got an error checking a consistent migration history"


def main(arguments: list[str]) -> None:
    """Run one management command on the data folder; servers that run already are used as they are."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.production")
    signal.signal(signal.SIGTERM, _terminate)
    try:
        take_settings_file(os.environ)
        os.environ.setdefault("EVENMATCH_LOG_LEVEL", "WARNING")  # commands speak for themselves
        check_settings(os.environ)
        servers: AbstractContextManager[object] = nullcontext()
        if not needs_servers(arguments):
            warnings.filterwarnings("ignore", message=NO_HISTORY)
        elif not os.environ.get("DATABASE_URL") and has_given_database(data_dir()):
            raise StartError(
                f"The site of the data folder {data_dir()} keeps its data in a database of its own. "
                f"Name it as the site does:\n  {manage_command(arguments[1:], {'DATABASE_URL': '…'})}"
            )
        else:
            servers = Servers.wanted(data_dir(), os.environ).in_use()
        with servers:
            from django.core.management import execute_from_command_line

            if needs_servers(arguments) and arguments[1] not in WITHOUT_TABLES:
                have_tables(arguments[1], is_own=not os.environ.get("DATABASE_URL"))
            execute_from_command_line(arguments)
    except StartError as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit(130)


def needs_servers(arguments: list[str]) -> bool:
    """Whether this command may want the database."""
    command = arguments[1] if len(arguments) > 1 else "help"
    asks_for_help = {"--help", "-h", "--version"} & set(arguments[1:])
    if command in WITH_A_LADDER:  # options may be cut short: --l is --ladder
        return not asks_for_help and any(word.startswith("--l") for word in arguments[2:])
    return not asks_for_help and command not in WITHOUT_SERVERS


def have_tables(command: str, *, is_own: bool) -> None:
    """Make the tables where there are none yet; a StartError that says how where they are of another release.

    A database that was given belongs to somebody: nothing is made there unasked.
    """
    import django
    from django.core.management import call_command, get_commands
    from django.db import OperationalError, connection
    from django.db.migrations.executor import MigrationExecutor
    from django.db.migrations.recorder import MigrationRecorder

    from config.older_tables import why_too_old
    from foundation.postgresql.locks import Lock, alone

    django.setup()
    if command not in get_commands():
        return  # Django says so better
    try:
        if why := why_too_old(MigrationRecorder(connection).applied_migrations()):
            raise StartError(why)
        executor = MigrationExecutor(connection)
    except OperationalError as error:
        raise StartError(f"PostgreSQL does not answer: {' '.join(str(error).split())}") from error
    if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return
    with alone(
        Lock.TABLES
    ):  # whoever is making them now, such as bin/run at its first start, has finished then
        executor = MigrationExecutor(connection)
        missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
        if missing and is_own and not executor.loader.applied_migrations:
            sys.stderr.write("Making the tables in the data folder…\n")
            call_command("migrate", verbosity=0, interactive=False)
        elif missing:
            raise StartError(
                f"The tables of the database are not those of this release: {len(missing)} changes are missing, "
                f"the first is {missing[0][0]}. Make them first:\n  {manage_command(['migrate'], os.environ)}"
            )


def _terminate(_kind: int, _frame: FrameType | None) -> None:
    """End through the finally blocks, which stop what was started for this command."""
    sys.exit(128 + signal.SIGTERM)
