"""The staging table: where a file waits, whole and checked, before anything is locked.

It is temporary: it belongs to this connection and goes with it, however the process ends. Rows arrive in batches, each
copied at once from memory, so that neither a slow source nor a stopped process is in the middle of a COPY for long.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice

from django.db import connection

from ratings.importing.rows import Row

__all__ = ["stage", "staging_table"]

BATCH = 10_000

_CREATE = """
DROP TABLE IF EXISTS pg_temp.import_staging;
CREATE TEMPORARY TABLE import_staging (
    line bigint NOT NULL,
    played_at timestamptz NOT NULL,
    player_a text NOT NULL,
    skeleton_a text NOT NULL,
    player_b text NOT NULL,
    skeleton_b text NOT NULL,
    score_a double precision NOT NULL,
    identity bytea NOT NULL,
    extra jsonb NOT NULL,
    neutral boolean NOT NULL,
    points_a double precision,
    points_b double precision,
    occurrence bigint NOT NULL DEFAULT 1
)
"""

_COPY = """
COPY import_staging
    (line, played_at, player_a, skeleton_a, player_b, skeleton_b, score_a, identity, extra, neutral, points_a, points_b)
FROM STDIN
"""

# The same two players on the same day, again: told apart by their order in the file.
_NUMBER_REPEATED = """
UPDATE import_staging AS staged SET occurrence = numbered.occurrence
FROM (
    SELECT line, row_number() OVER (PARTITION BY identity ORDER BY line) AS occurrence
    FROM import_staging
) AS numbered
WHERE numbered.line = staged.line AND numbered.occurrence > 1
"""


@contextmanager
def staging_table() -> Iterator[None]:
    """Have an empty staging table inside the block."""
    with connection.cursor() as cursor:
        cursor.execute(_CREATE)
    try:
        yield
    finally:
        # After a lost connection there is nothing left to drop, and no need to hide why.
        if connection.connection is not None and connection.is_usable():
            with connection.cursor() as cursor:
                cursor.execute("DROP TABLE IF EXISTS pg_temp.import_staging")


def stage(rows: Iterable[Row], *, on_progress: Callable[[int], None]) -> None:
    """Copy all rows into the staging table; `on_progress` hears how many there are so far."""
    staged, remaining = 0, iter(rows)
    while batch := list(islice(remaining, BATCH)):
        _copy(batch)
        staged += len(batch)
        on_progress(staged)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE import_staging")
        cursor.execute(_NUMBER_REPEATED)


def _copy(batch: list[Row]) -> None:
    with connection.cursor() as cursor, cursor.copy(_COPY) as copy:
        for row in batch:
            copy.write_row(row)
