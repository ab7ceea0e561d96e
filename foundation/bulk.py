"""Whole columns out of PostgreSQL and into it: NumPy arrays in its binary form, no Python object a row.

Moments are int64 microseconds since 2000-01-01 UTC, as PostgreSQL keeps them.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import psycopg
from django.db import connection
from numpy.typing import NDArray
from psycopg import sql

__all__ = ["copy_in", "fetch_columns", "from_micros", "to_micros"]

_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
# Dimensions, whether there are NULLs, element type, length, first index: each 4 bytes, then the elements.
_ARRAY_HEADER = 20
# int8, int2, int4, float8, timestamptz
_BY_OID = {20: ">i8", 21: ">i2", 23: ">i4", 701: ">f8", 1184: ">i8"}
_COPY_HEADER = b"PGCOPY\n\xff\r\n\0" + bytes(8)
_COPY_TRAILER = b"\xff\xff"
_SLICE = 1 << 20

Column = NDArray[Any]


def to_micros(moment: datetime) -> int:
    """Return `moment` in microseconds since 2000."""
    return (moment - _EPOCH) // _MICROSECOND


def from_micros(micros: int) -> datetime:
    """Return the moment that many microseconds after 2000 began, in UTC."""
    return _EPOCH + int(micros) * _MICROSECOND


def fetch_columns(
    columns: Mapping[str, str], source: str, parameters: Mapping[str, Any]
) -> dict[str, Column]:
    """Read columns as arrays of one length: `columns` maps each name to its SQL expression.

    `source` is what follows FROM. Expressions are of an integer, float8 or timestamptz type and never NULL:
    ValueError otherwise. One array a column crosses the wire: COPY would be one message a row, and cost more in
    the client than in the server.
    """
    chosen = ", ".join(f"array_send(array_agg({sql_of}))" for sql_of in columns.values())
    query = f"SELECT {chosen} FROM {source}"  # noqa: S608 - both are constants of the callers
    with _cursor() as cursor:
        cursor.execute(query.encode(), parameters, binary=True)
        row = cursor.fetchone() or ()
    return {name: _decode(name, raw) for name, raw in zip(columns, row, strict=True)}


def copy_in(table: str, columns: Mapping[str, Column]) -> None:
    """Append arrays of one length to the columns of `table` that they are named for.

    The array's type decides the form: it must be that of the column (moments: int64).
    """
    names: Sequence[str] = list(columns)
    target = sql.SQL("COPY {} ({}) FROM STDIN (FORMAT binary)").format(
        sql.Identifier(table), sql.SQL(", ").join(map(sql.Identifier, names))
    )
    rows = _encode(columns).view(np.uint8).data
    with _cursor() as cursor, cursor.copy(target) as copy:
        copy.write(_COPY_HEADER)
        for start in range(0, len(rows), _SLICE):
            copy.write(rows[start : start + _SLICE])
        copy.write(_COPY_TRAILER)


def _cursor() -> psycopg.Cursor[Any]:
    """Open a cursor that can receive the binary form: Django's own, which bind in the client, cannot."""
    connection.ensure_connection()
    return psycopg.Cursor(connection.connection)


def _decode(name: str, raw: bytes | None) -> Column:
    if raw is None:
        return np.empty(0, dtype=np.int64)
    header = np.frombuffer(raw, dtype=">i4", count=5)
    if header[1]:
        raise ValueError(f"column {name} holds NULL; give it a value in the query")
    kind = _BY_OID[int(header[2])]
    elements = np.frombuffer(raw, dtype=[("size", ">i4"), ("value", kind)], offset=_ARRAY_HEADER)
    return elements["value"].astype(np.dtype(kind).newbyteorder("="))


def _encode(columns: Mapping[str, Column]) -> Column:
    """Lay the columns out as COPY's rows: number of fields, then size and value of each."""
    layout: list[tuple[str, str]] = [("fields", ">i2")]
    for place, column in enumerate(columns.values()):
        layout += [(f"size{place}", ">i4"), (f"value{place}", column.dtype.newbyteorder(">").str)]
    rows = np.empty(len(next(iter(columns.values()))), dtype=layout)
    rows["fields"] = len(columns)
    for place, column in enumerate(columns.values()):
        rows[f"size{place}"] = column.dtype.itemsize
        rows[f"value{place}"] = column
    return rows
