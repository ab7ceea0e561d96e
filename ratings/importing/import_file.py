"""Taking in a file of matches: all of it, or nothing."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, BinaryIO

import structlog
from django.db import connection, transaction
from django.utils.translation import gettext as _

from accounts import audit
from accounts.models import User
from events import outbox
from events.kinds import Kind
from foundation import clock
from ratings.importing.familiar import Familiarity, familiarity_of
from ratings.importing.options import OptionError
from ratings.importing.problems import Problems
from ratings.importing.read import Progress, staged
from ratings.importing.reader import Reader
from ratings.importing.store import (
    refuse_changed_results,
    refuse_merged_twice,
    refuse_missing_figures,
    refuse_reserved,
    store_matches,
    store_players,
)
from ratings.importing.target_ladder import NewLadder, obtain_ladder
from ratings.matches.player_stats import demands_of
from ratings.models import ImportedFile, Ladder
from ratings.runs.sequence import sequence_confirmed

__all__ = ["Doubt", "ImportReport", "import_matches"]

# A process that stops in the middle of writing must not keep the ladder. Nothing is computed between its statements.
IDLE_SECONDS = 30

Doubt = Callable[[Familiarity], bool]

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
    on_doubt: Doubt | None = None,
) -> ImportReport:
    """Take the matches of a file into the ladder with the short name `ladder`, in the order of the file.

    `source` gives bytes and is read once. Matches the ladder has from an earlier file stay as they are. With
    `create`, what is missing of game, ladder and shown track is made. `on_progress` is called with how many rows
    and bytes are read; `on_doubt`, before anything is locked, where hardly a name has played in this ladder and most
    have in another of the game: the file is refused unless it says True. Without it nothing is asked. Rating follows
    separately. Raises OptionError, or FileRejectedError; then nothing was written.
    """
    with staged(source, ladder=ladder, create=create, on_progress=on_progress) as file:
        if on_doubt is not None:
            familiarity = familiarity_of(file.ladder, file.game)
            if familiarity.is_doubtful and not on_doubt(familiarity):
                raise OptionError(_("Is this the right ladder? Nothing was changed."))
        report = _store(ladder, create, file.matches, file.digest, name=name, actor=actor)
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
    if ladder.imports.filter(digest=digest, taken_back_at__isnull=True).exists():
        return ImportReport(**read, known_file=True)
    # Results confirmed before this file was are ahead of it.
    sequence_confirmed(ladder.pk)
    ladder.refresh_from_db()
    problems = Problems()
    refuse_changed_results(ladder, matches, problems)
    refuse_reserved(ladder.game, problems)
    refuse_merged_twice(ladder.game, ladder, problems)
    refuse_missing_figures(demands_of([ladder.pk]).get(ladder.pk, frozenset()), matches, problems)
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
    audit.record(
        actor=actor,
        action="importedfile.added",
        target=file,
        after={
            "name": file.name,
            "ladder": ladder.slug,
            "rows": file.rows,
            "matches": stored.matches,
            "players": new_players,
        },
    )
    outbox.publish(Kind.MATCHES_IMPORTED, ladder=ladder.pk, file=file.pk, matches=stored.matches)
    return ImportReport(
        **read, new_matches=stored.matches, new_players=new_players, late=stored.late
    )
