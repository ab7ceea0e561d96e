"""Empties the database after a test that commits, leaving Django's own lists as they are.

Django's way makes new files for all tables and indexes, then writes content types and permissions anew, which takes
longer than most of these tests. What is left for the next test is the same.
"""

from collections.abc import Mapping
from functools import cache

from django.db import OperationalError, connection, transaction
from django.test import TransactionTestCase
from psycopg import sql
from psycopg.errors import DeadlockDetected

from foundation.timekeeping.models import Heartbeat

__all__ = ["empty_tables", "put_back", "rows_by_table", "tables", "use_for_tests"]

# Written by migrate, and the same for every test.
KEPT = {"django_migrations", "django_content_type", "auth_permission"}
MANY = 500_000  # bytes of a table, beyond which a new file is quicker than dead rows
_ATTEMPTS = 30  # a deadlock is found after a second: so many seconds for those who still write
_TABLES = """
SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY relname
"""
_ROWS = "SELECT jsonb_agg(one ORDER BY to_jsonb(one)::text)::text FROM {table} AS one"
_FILLED = "INSERT INTO {table} SELECT * FROM jsonb_populate_recordset(NULL::{table}, %s)"


def use_for_tests() -> None:
    """Have this done after each test that commits, instead of Django's flush."""

    def empty(_test: TransactionTestCase) -> None:
        empty_tables()

    TransactionTestCase._fixture_teardown = empty  # type: ignore[attr-defined]


def empty_tables() -> None:
    """Delete every row but those of `KEPT`, once whoever still writes has come to an end."""
    for attempt in range(_ATTEMPTS):
        try:
            _empty()
            break
        except OperationalError as error:
            # Whoever still writes takes tables in another order than we do.
            if not isinstance(error.__cause__, DeadlockDetected) or attempt == _ATTEMPTS - 1:
                raise


def tables() -> tuple[str, ...]:
    """All tables but those of `KEPT`."""
    with connection.cursor() as cursor:
        cursor.execute(_TABLES)
        return tuple(name for (name,) in cursor.fetchall() if name not in KEPT)


def rows_by_table() -> dict[str, str]:
    """What the tables that are not empty hold, as JSON; but heartbeats: put back, they would say that it was away."""
    found = {}
    with connection.cursor() as cursor:
        for table in tables():
            if Heartbeat._meta.db_table in table:
                continue
            cursor.execute(_ROWS.format(table=table))
            (rows,) = cursor.fetchone()
            if rows is not None:
                found[table] = rows
    return found


def put_back(rows: Mapping[str, str]) -> None:
    """Let the tables hold what `rows_by_table` found, and nothing else. New rows get numbers beyond all before."""
    empty_tables()
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")  # in any order
        for table, found in rows.items():
            cursor.execute(_FILLED.format(table=table), [found])


def _empty() -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        names = tables()
        cursor.execute(_join("LOCK TABLE {} IN SHARE ROW EXCLUSIVE MODE", names))
        cursor.execute(_sizes_of_filled(names))
        sizes: dict[str, int] = dict(cursor.fetchall())
        if any(size > MANY for size in sizes.values()):
            cursor.execute(_join("TRUNCATE {}", names))
            return
        # Neither foreign keys nor the triggers that guard the ledger: all rows go.
        cursor.execute("SET LOCAL session_replication_role = replica")
        for name in sizes:
            cursor.execute(_join("DELETE FROM {}", (name,)))


@cache
def _join(statement: str, given: tuple[str, ...]) -> sql.Composed:
    names = sql.SQL(", ").join(map(sql.Identifier, given))
    return sql.SQL(statement).format(names)


@cache
def _sizes_of_filled(given: tuple[str, ...]) -> sql.Composed:
    """Ask for names and bytes of those that have rows."""
    ask = sql.SQL("SELECT {0}, pg_relation_size({0}::regclass) WHERE EXISTS (SELECT FROM {1})")
    return sql.SQL(" UNION ALL ").join(
        ask.format(sql.Literal(name), sql.Identifier(name)) for name in given
    )
