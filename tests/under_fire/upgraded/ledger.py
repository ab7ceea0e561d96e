"""Whether the ledger as it stood before an upgrade stands unchanged after it."""

from dataclasses import dataclass
from typing import Any

import psycopg

__all__ = ["Ledger"]

_COLUMNS = """
SELECT string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position) FROM information_schema.columns
WHERE table_schema = current_schema() AND table_name = 'ratings_ratingchange'
"""
_LAST = "SELECT coalesce(max(id), 0) FROM ratings_ratingchange"
_ROWS = """
SELECT count(*), md5(string_agg(row::text, E'\\n' ORDER BY id))
FROM (SELECT {columns} FROM ratings_ratingchange WHERE id <= %s) AS row
"""


@dataclass(frozen=True)
class Ledger:
    """The rows that stood at one moment, by the columns of then: a release may add columns, and play adds rows."""

    columns: str
    last: int
    rows: int
    digest: str

    @classmethod
    def of(cls, database: str) -> "Ledger":
        """As it stands now."""
        with psycopg.connect(database) as session:
            columns, last = _one(session, _COLUMNS), _one(session, _LAST)
        return cls(columns, last, *_read(database, columns, last))

    def stands(self, database: str) -> bool:
        """Whether these rows are there, each as it was."""
        return _read(database, self.columns, self.last) == (self.rows, self.digest)


def _read(database: str, columns: str, last: int) -> tuple[int, str]:
    with psycopg.connect(database) as session:
        session.execute("SET TimeZone = 'UTC'; SET extra_float_digits = 1")
        row = session.execute(_ROWS.format(columns=columns), [last]).fetchone()
    return (int(row[0]), str(row[1])) if row else (0, "")


def _one(session: psycopg.Connection[Any], query: str) -> Any:
    row = session.execute(query).fetchone()
    return row[0] if row else None
