"""Databases of the harness's own, on the servers that DATABASE_URL leads to."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

from config.embedded.paths import PROJECT
from tests.emptying import KEPT

__all__ = [
    "battlefield",
    "emptied_template",
    "fresh_database",
    "migrated_template",
    "session_in",
]

PATIENCE = 120.0
_OF_DATABASE = "FROM pg_stat_activity WHERE datname = %s AND backend_type = 'client backend'"
_SESSIONS = f"SELECT count(*) {_OF_DATABASE}"
_END = f"SELECT pg_terminate_backend(pid) {_OF_DATABASE}"
_TABLES = """
SELECT relname FROM pg_class
WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> ALL(%s)
"""


def session_in(database: str) -> psycopg.Connection[Any]:
    """Open a session in which each statement is a transaction."""
    return psycopg.connect(address_of(database), autocommit=True)


def address_of(database: str) -> str:
    """Return DATABASE_URL with another database's name."""
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{database}").geturl()


@contextmanager
def migrated_template() -> Iterator[str]:
    """Make a database with all tables and no rows, to be copied; dropped at the end."""
    name = f"killing_template_{os.getpid()}"
    with _made(name, template="template0"):
        subprocess.run(
            [sys.executable, "manage.py", "migrate", "--verbosity=0"],
            cwd=PROJECT,
            env={**os.environ, "DATABASE_URL": address_of(name)},
            check=True,
        )
        yield name


@contextmanager
def emptied_template(migrated: str) -> Iterator[str]:
    """The same as a copy of a database that is migrated already and that nobody uses now: that takes no migrations."""
    name = f"killing_template_{os.getpid()}"
    with _made(name, template=migrated):
        with session_in(name) as session:
            tables = [table for (table,) in session.execute(_TABLES, [list(KEPT)])]
            names = sql.SQL(", ").join(map(sql.Identifier, tables))
            session.execute(sql.SQL("TRUNCATE {} RESTART IDENTITY").format(names))
        yield name


@contextmanager
def fresh_database(template: str) -> Iterator[str]:
    """Make a copy of the template; dropped at the end, whoever is still connected."""
    with _made(template.replace("template", "run"), template=template) as name:
        yield name


@contextmanager
def battlefield(template: str) -> Iterator[tuple[str, psycopg.Connection[Any], Path]]:
    """A copy of the template, a session in it, and an empty folder for what is noted; gone after the block."""
    with (
        fresh_database(template) as database,
        session_in(database) as session,
        tempfile.TemporaryDirectory(prefix="killing-") as folder,
    ):
        yield database, session, Path(folder)


@contextmanager
def _made(name: str, *, template: str) -> Iterator[str]:
    made, copied = sql.Identifier(name), sql.Identifier(template)
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as session:
        _drop(session, name)
        _wait_until_left(session, template)
        session.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(made, copied))
    try:
        yield name
    finally:
        with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as session:
            _drop(session, name)


def _drop(session: psycopg.Connection[Any], name: str) -> None:
    session.execute(_END, [name])
    _wait_until_left(session, name)
    session.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


def _wait_until_left(session: psycopg.Connection[Any], name: str) -> None:
    """CREATE and DROP wait 5 seconds for sessions that end, which may be too few on a busy machine."""
    deadline = time.monotonic() + PATIENCE
    while session.execute(_SESSIONS, [name]).fetchone() != (0,) and time.monotonic() < deadline:
        time.sleep(0.02)
