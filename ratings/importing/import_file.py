"""Taking in a file of matches: all of it, or nothing."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, BinaryIO

import structlog
from django.db import connection, transaction
from django.utils.translation import gettext as _

from accounts.models import User
from events import outbox
from events.kinds import Kind
from foundation import clock
from ratings.importing.csv_rows import Rows
from ratings.importing.file_lines import Lines
from ratings.importing.json_objects import Objects
from ratings.importing.options import OptionError
from ratings.importing.problems import Problems
from ratings.importing.reader import Reader
from ratings.importing.staging import stage, staging_table
from ratings.importing.store import (
    refuse_changed_results,
    refuse_missing_figures,
    store_matches,
    store_players,
)
from ratings.importing.target_ladder import NewLadder, find_ladder, obtain_ladder
from ratings.models import ImportedFile, Ladder
from ratings.runs.sequence import sequence_confirmed

__all__ = ["ImportReport", "Progress", "import_matches"]

# A process that stops in the middle of writing must not keep the ladder. Nothing is computed between its statements.
IDLE_SECONDS = 30

Progress = Callable[[int, int], None]

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """What came of a file.

    `rows` are the matches in it, `new_matches` those the ladder did not have. `backwards` rows are dated before the
    row above them, `late` ones before a time that is counted already: they count for that time. `known_file` tells
    that the very same file was taken in before.
    """

    ladder: Ladder
    rows: int
    backwards: int
    new_matches: int = 0
    new_players: int = 0
    late: int = 0
    known_file: bool = False


def import_matches(
    source: BinaryIO,
    *,
    name: str,
    ladder: str,
    create: NewLadder | None = None,
    actor: User | None = None,
    on_progress: Progress | None = None,
) -> ImportReport:
    """Take the matches of a file into the ladder with the short name `ladder`, in the order of the file.

    `source` gives bytes and is read once. Matches the ladder has from an earlier file stay as they are. With
    `create`, what is missing of game, ladder and shown track is made. `on_progress` is called with how many rows
    and bytes are read. Rating follows separately. Raises OptionError, or FileRejectedError; then nothing was written.
    """
    there = find_ladder(ladder, create)  # no need to read a file that has nowhere to go
    problems = Problems()
    lines = Lines(source, problems)
    shape = (there.team_count, there.team_size) if there else None
    matches: Reader
    if lines.are_objects():
        matches = Objects(lines, problems, now=clock.now(), shape=shape)
    elif there is not None and shape != (2, 1):
        counts = {"count": there.team_count, "size": there.team_size}
        words = _("has %(count)d teams of %(size)d; CSV is one against one, JSON lines take teams")
        raise OptionError(f"ladder {ladder!r}: {words % counts}")
    else:
        matches = Rows(lines, problems, now=clock.now())

    def report_progress(staged: int) -> None:
        if on_progress is not None:
            on_progress(staged, lines.size)

    with staging_table():
        stage(matches.staged(), on_progress=report_progress)
        problems.raise_if_any()
        report = _store(ladder, create, matches, lines.digest, name=name, actor=actor)
    log.info("file.imported", ladder=ladder, rows=report.rows, new_matches=report.new_matches)
    return report


@transaction.atomic
def _store(
    slug: str,
    create: NewLadder | None,
    matches: Reader,
    digest: str,
    *,
    name: str,
    actor: User | None,
) -> ImportReport:
    """Write what was staged. The lock comes first; what is read under it stays true until the commit."""
    with connection.cursor() as cursor:
        # PostgreSQL ends this transaction, and frees what it locks, when its process has stopped.
        timeout = f"{IDLE_SECONDS}s"
        cursor.execute(
            "SELECT set_config('idle_in_transaction_session_timeout', %s, true)", [timeout]
        )
    ladder = obtain_ladder(slug, create, shape=matches.shape)
    read: dict[str, Any] = {"ladder": ladder, "rows": matches.count, "backwards": matches.backwards}
    if ladder.imports.filter(digest=digest).exists():
        return ImportReport(**read, known_file=True)
    # Results confirmed before this file was are ahead of it.
    sequence_confirmed(ladder.pk)
    ladder.refresh_from_db()
    problems = Problems()
    refuse_changed_results(ladder, matches, problems)
    refuse_missing_figures(ladder, matches, problems)
    problems.raise_if_any()
    new_players = store_players(ladder)
    file = ImportedFile.objects.create(
        ladder=ladder,
        name=name[-255:],
        digest=digest,
        rows=matches.count,
        new_matches=0,
        imported_by=actor,
    )
    stored = store_matches(ladder, file, now=clock.now())
    file.new_matches = stored.matches
    file.save(update_fields=["new_matches"])
    ladder.last_seq, ladder.counted_until = stored.last_seq, stored.counted_until
    ladder.save(update_fields=["last_seq", "counted_until"])
    outbox.publish(Kind.MATCHES_IMPORTED, ladder=ladder.pk, file=file.pk, matches=stored.matches)
    return ImportReport(
        **read, new_matches=stored.matches, new_players=new_players, late=stored.late
    )
