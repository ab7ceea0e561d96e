"""What a backup holds, in counts and hashes: written into it, and compared when it is restored."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from django.db import connection
from psycopg import sql

__all__ = ["SESSION", "BadBackupError", "Manifest", "count_rows", "hash_of"]

FORMAT = 1
# Rows are hashed as text: these decide how it is written.
SESSION = """
SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = 'ISO'; SET LOCAL IntervalStyle = 'postgres';
SET LOCAL extra_float_digits = 1; SET LOCAL bytea_output = 'hex';
SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;
"""
_TABLES = """
SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY relname
"""


class BadBackupError(Exception):
    """A file that is no backup, or not one that this release can restore. Says why."""


@dataclass(frozen=True, slots=True)
class Rows:
    """How many rows a table has, and a hash over all of them, in whatever order they are."""

    rows: int
    hash: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """The facts of one backup.

    migrations  those applied, as app.name
    tables      rows of each table
    sha256      digest of the dump
    """

    release: str
    made_at: str
    postgresql: int
    migrations: list[str]
    tables: dict[str, Rows] = field(default_factory=dict)
    sha256: str = ""
    size: int = 0
    format: int = FORMAT

    def packed(self) -> str:
        """The manifest as JSON, to be read by people too."""
        return json.dumps(asdict(self), indent=1, sort_keys=True)

    @classmethod
    def unpacked(cls, text: bytes) -> "Manifest":
        """The manifest from JSON. Raises BadBackupError."""
        try:
            given: dict[str, Any] = json.loads(text)
            if given["format"] != FORMAT:
                raise BadBackupError(
                    f"It is written in format {given['format']}, this release reads {FORMAT}. "
                    "Restore it with the release that wrote it, or a later one."
                )
            tables = {name: Rows(**rows) for name, rows in given.pop("tables").items()}
            return cls(tables=tables, **given)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise BadBackupError(f"Its manifest cannot be read: {error}.") from error


def hash_of(table: str) -> sql.Composed:
    """SQL that counts the rows of a table and hashes them. The sum does not depend on their order."""
    return sql.SQL(
        "SELECT count(*), coalesce(sum(('x' || substr(md5(one_row::text), 1, 15))::bit(60)::bigint), 0)::text"
        " FROM public.{} AS one_row"
    ).format(sql.Identifier(table))


def count_rows() -> Mapping[str, Rows]:
    """Rows and hashes of all tables, as the current transaction sees them."""
    found: dict[str, Rows] = {}
    with connection.cursor() as cursor:
        cursor.execute(_TABLES)
        for (name,) in cursor.fetchall():
            cursor.execute(hash_of(name))
            number, digest = cursor.fetchone()
            found[name] = Rows(int(number), digest)
    return found
