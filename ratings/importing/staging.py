"""The staging tables: where a file waits, whole and checked, before anything is locked.

They are temporary: they belong to this connection and go with it, however the process ends. Rows arrive in batches,
each copied at once from memory, so that neither a slow source nor a stopped process is in the middle of a COPY for
long. A batch ends by its rows or by its size: a line may be a mebibyte long.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from django.db import connection

from ratings.importing.reader import Staged

__all__ = ["stage", "staging_table"]

BATCH = 10_000
BATCH_SIGNS = 4 << 20

_CREATE = """
DROP TABLE IF EXISTS pg_temp.import_staging, pg_temp.import_participants;
CREATE TEMPORARY TABLE import_staging (
    line bigint NOT NULL,
    played_at timestamptz NOT NULL,
    identity bytea NOT NULL,
    extra jsonb NOT NULL,
    neutral boolean NOT NULL,
    map text NOT NULL,
    participants json NOT NULL,
    occurrence bigint NOT NULL DEFAULT 1
);
CREATE TEMPORARY TABLE import_participants (
    line bigint NOT NULL,
    team smallint NOT NULL,
    rank smallint NOT NULL,
    player text NOT NULL,
    score double precision,
    minutes double precision,
    character text NOT NULL,
    left_early boolean NOT NULL
)
"""

_COPY = (
    "COPY import_staging (line, played_at, identity, extra, neutral, map, participants) FROM STDIN"
)

_PARTICIPANTS = """
INSERT INTO import_participants
SELECT staged.line, participant.team, participant.rank, participant.player, participant.score, participant.minutes,
       coalesce(participant.character, ''), coalesce(participant.left_early, false)
FROM import_staging AS staged
CROSS JOIN LATERAL json_to_recordset(staged.participants) AS participant
    (team smallint, rank smallint, player text, score double precision, minutes double precision,
     character text, left_early boolean)
"""

# The same players on the same day, again: told apart by their order in the file.
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
    """Have empty staging tables inside the block."""
    with connection.cursor() as cursor:
        cursor.execute(_CREATE)
    try:
        yield
    finally:
        # After a lost connection there is nothing left to drop, and no need to hide why.
        if connection.connection is not None and connection.is_usable():
            with connection.cursor() as cursor:
                cursor.execute(
                    "DROP TABLE IF EXISTS pg_temp.import_staging, pg_temp.import_participants"
                )


def stage(matches: Iterable[Staged], *, on_progress: Callable[[int], None]) -> None:
    """Copy all matches into the staging tables; calls `on_progress` with how many there are so far."""
    staged = 0
    for batch in _batches(matches):
        with connection.cursor() as cursor, cursor.copy(_COPY) as copy:
            for row in batch:
                copy.write_row(row)
        staged += len(batch)
        on_progress(staged)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE import_staging")
        cursor.execute(_NUMBER_REPEATED)
        cursor.execute(_PARTICIPANTS)
        cursor.execute("ANALYZE import_participants")


def _batches(matches: Iterable[Staged]) -> Iterator[list[Staged]]:
    batch: list[Staged] = []
    signs = 0
    for match in matches:
        batch.append(match)
        signs += len(match.extra) + len(match.participants)
        if len(batch) == BATCH or signs >= BATCH_SIGNS:
            yield batch
            batch, signs = [], 0
    if batch:
        yield batch
