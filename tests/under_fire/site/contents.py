"""What a database holds, counted and hashed row by row as COPY sends them: not in the way that the product does it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import psycopg
from psycopg import sql

__all__ = ["BEGIN_ANEW", "Rows", "differences", "read_contents"]

# A restored site says in these whose transactions it counts, that readers begin anew, and what time it is.
BEGIN_ANEW = frozenset(
    {"events_event", "events_notice", "events_subscription", "foundation_heartbeat"}
)
_BYTES = 16
_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename"
# These decide how values are written.
_SESSION = "SET TimeZone = 'UTC'; SET DateStyle = 'ISO'; SET IntervalStyle = 'postgres'; SET extra_float_digits = 1"


@dataclass(frozen=True, slots=True)
class Rows:
    """How many rows a table has, and the sum of their hashes, which does not depend on their order."""

    number: int
    digest: str


def read_contents(session: psycopg.Connection[Any]) -> dict[str, Rows]:
    """Rows of every table, as this session sees them; of one moment if its transaction does."""
    session.execute(_SESSION)
    names = [str(name) for (name,) in session.execute(_TABLES).fetchall()]
    return {name: _rows_of(session, name) for name in names}


def differences(before: Mapping[str, Rows], after: Mapping[str, Rows]) -> Iterator[str]:
    """Tables that are not as they were, in words; of those that begin anew is only asked that they are there."""
    for name in sorted(before.keys() | after.keys()):
        was, now = before.get(name), after.get(name)
        if was is None or now is None:
            yield f"{name} is {'new' if was is None else 'gone'}"
        elif was != now and name not in BEGIN_ANEW:
            yield f"{name} differs: {was.number:,} rows before, {now.number:,} after"


def _rows_of(session: psycopg.Connection[Any], table: str) -> Rows:
    number = total = 0
    query = sql.SQL("COPY public.{} TO STDOUT").format(sql.Identifier(table))
    with session.cursor().copy(query) as copy:
        for row in copy:  # one at a time, as the library of PostgreSQL hands them out
            number += 1
            total += int.from_bytes(blake2b(row, digest_size=_BYTES).digest())
    return Rows(number, f"{total % 256**_BYTES:x}")
