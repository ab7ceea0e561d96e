"""Whole columns out of PostgreSQL and into it: NumPy arrays in its binary form, no Python object a row.

Moments are int64 microseconds since 2000-01-01 UTC, as PostgreSQL keeps them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import psycopg
from django.db import connection
from numpy.typing import NDArray
from psycopg import sql

__all__ = [
    "NULL",
    "Source",
    "copy_in",
    "copy_lines",
    "escaped",
    "fetch_columns",
    "moment",
    "real",
    "to_micros",
    "whole",
]

_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_COPY_HEADER = b"PGCOPY\n\xff\r\n\0" + bytes(8)
_COPY_TRAILER = b"\xff\xff"
_SLICE = 1 << 20
NULL = r"\N"  # in a line of `copy_lines`
_CONTROLS = str.maketrans({"\t": r"\t", "\n": r"\n", "\r": r"\r"})

Column = NDArray[Any]


def to_micros(moment: datetime) -> int:
    """Return `moment` in microseconds since 2000."""
    return (moment - _EPOCH) // _MICROSECOND


@dataclass(frozen=True, slots=True)
class Source:
    """One column to read: an SQL expression, how PostgreSQL sends it in 8 bytes, and how NumPy reads these."""

    sql: str
    dtype: str


def whole(expression: str) -> Source:
    """Read an expression of an integer type as int64."""
    return Source(f"int8send(({expression})::bigint)", ">i8")


def real(expression: str) -> Source:
    """Read an expression of type float8 as float64."""
    return Source(f"float8send({expression})", ">f8")


def moment(expression: str) -> Source:
    """Read an expression of type timestamptz as int64 microseconds since 2000."""
    return Source(f"timestamptz_send({expression})", ">i8")


def fetch_columns(
    columns: Mapping[str, Source], source: str, parameters: Mapping[str, Any]
) -> dict[str, Column]:
    """Read columns as arrays of one length; `source` is what follows FROM. ValueError where a value is NULL.

    One string of bytes a column crosses the wire: COPY would be one message a row, and cost more in the client than
    in the server; arrays carry a length with each element. Parameters stand in the text: a session of the API plans
    for any values (`foundation.postgresql.prepared`), which suits a big read badly. A float stands there as a decimal:
    cast it.
    """
    chosen = ", ".join(f"string_agg({column.sql}, ''::bytea)" for column in columns.values())
    query = f"SELECT count(*), {chosen} FROM {source}"  # noqa: S608 - constants of the callers
    with _cursor() as cursor:
        text = psycopg.ClientCursor(cursor.connection).mogrify(query.encode(), parameters)
        # Not `execute`, which would count, and keep, the texts of a session that prepares.
        ((rows, *sent),) = cursor.stream(text.encode(), binary=True)
    found: dict[str, Column] = {}
    for (name, column), raw in zip(columns.items(), sent, strict=True):
        elements = np.frombuffer(raw or b"", dtype=column.dtype)
        if len(elements) != rows:  # NULLs are passed over in the string
            raise ValueError(f"column {name} holds NULL; give it a value in the query")
        found[name] = elements.astype(elements.dtype.newbyteorder("="))
    return found


def copy_in(table: str, columns: Mapping[str, Column]) -> None:
    """Append arrays of one length to the columns of `table` that they are named for.

    The array's type decides the form: it must be that of the column (moments: int64).
    """
    names: Sequence[str] = list(columns)
    target = sql.SQL("COPY {} ({}) FROM STDIN (FORMAT binary)").format(
        sql.Identifier(table), sql.SQL(", ").join(map(sql.Identifier, names))
    )
    # The rows of COPY: number of fields, then size and value of each.
    layout: list[tuple[str, str]] = [("fields", ">i2")]
    for index, column in enumerate(columns.values()):
        layout += [(f"size{index}", ">i4"), (f"value{index}", column.dtype.newbyteorder(">").str)]
    table_rows = np.empty(len(next(iter(columns.values()))), dtype=layout)
    table_rows["fields"] = len(columns)
    for index, column in enumerate(columns.values()):
        table_rows[f"size{index}"] = column.dtype.itemsize
        table_rows[f"value{index}"] = column
    rows = table_rows.view(np.uint8).data
    with _cursor() as cursor, cursor.copy(target) as copy:
        copy.write(_COPY_HEADER)
        for start in range(0, len(rows), _SLICE):
            copy.write(rows[start : start + _SLICE])
        copy.write(_COPY_TRAILER)


def copy_lines(table: str, columns: Sequence[str], lines: Iterable[str]) -> None:
    """Append rows in the text form of COPY: a line each, values between tabs, `NULL` or texts that are `escaped`."""
    target = sql.SQL("COPY {} ({}) FROM STDIN").format(
        sql.Identifier(table), sql.SQL(", ").join(map(sql.Identifier, columns))
    )
    with _cursor() as cursor, cursor.copy(target) as copy:
        copy.write("".join(f"{line}\n" for line in lines))


def escaped(text: str) -> str:
    """A text as a line of `copy_lines` has it."""
    if "\\" in text:
        text = text.replace("\\", r"\\")
    return text if text.isprintable() else text.translate(_CONTROLS)


def _cursor() -> psycopg.Cursor[Any]:
    """Open a cursor that can receive and send the binary form: Django's own, which bind in the client, cannot."""
    connection.ensure_connection()
    return psycopg.Cursor(connection.connection)
