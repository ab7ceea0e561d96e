"""One migrated database for all workers of a run: the first that needs it makes it, the others copy it.

To migrate takes longer than most files of tests; to copy what has been migrated takes a moment.
"""

import os
from contextlib import suppress
from uuid import uuid4

import psycopg
from django.core.management import call_command
from django.db import connection
from psycopg import sql

__all__ = ["copy_template", "drop_template", "name_template"]

_NAME = "EVENMATCH_TESTS_TEMPLATE"


def name_template() -> None:
    """Name the database for the workers that this process is about to start."""
    os.environ[_NAME] = f"template_of_tests_{uuid4().hex}"


def copy_template() -> None:
    """Let the database of this worker be made as a copy. One that was cut short is migrated on in the copies."""
    name = os.environ[_NAME]
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as session:
        session.execute("SELECT pg_advisory_lock(hashtext(%s))", [name])  # until the session ends
        found = session.execute("SELECT FROM pg_database WHERE datname = %s", [name])
        if not found.rowcount:
            session.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
            _migrate(name)
    connection.settings_dict["TEST"]["TEMPLATE"] = name


def _migrate(name: str) -> None:
    own = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = name
    try:
        call_command("migrate", verbosity=0, interactive=False, run_syncdb=True)
    finally:
        connection.close()  # nobody may be connected to what is copied
        connection.settings_dict["NAME"] = own


def drop_template() -> None:
    """Drop it, where it was made on servers that stay. Those that do not answer have none."""
    name = sql.Identifier(os.environ.pop(_NAME))
    with (
        suppress(psycopg.OperationalError),
        psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as session,
    ):
        session.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(name))
