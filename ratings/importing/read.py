"""Reading a file of matches into the staging tables: whole and checked, with nothing locked or written yet."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import BinaryIO

from django.utils.translation import gettext as _

from foundation import clock
from ratings.importing.csv_rows import Rows
from ratings.importing.file_lines import Lines
from ratings.importing.json_objects import Objects
from ratings.importing.options import OptionError
from ratings.importing.problems import Problems
from ratings.importing.reader import Reader
from ratings.importing.staging import stage, staging_table
from ratings.importing.target_ladder import NewLadder, find_ladder
from ratings.models import Game, Ladder

__all__ = ["Progress", "StagedFile", "staged"]

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class StagedFile:
    """A file that was read: its matches, what tells it from others, and where it would go; None: still to be made."""

    matches: Reader
    digest: str
    ladder: Ladder | None
    game: Game | None


@contextmanager
def staged(
    source: BinaryIO,
    *,
    ladder: str,
    create: NewLadder | None,
    on_progress: Progress | None = None,
) -> Iterator[StagedFile]:
    """Have a file in the staging tables inside the block. Raises OptionError and FileRejectedError."""
    there = find_ladder(ladder, create)  # no need to read a file that has nowhere to go
    problems = Problems()
    lines = Lines(source, problems)
    shape = there.shape if there else None
    matches: Reader
    if lines.are_objects():
        matches = Objects(lines, problems, now=clock.now(), shape=shape)
    elif shape is not None and not shape.fits([1, 1]):
        words = _("has %(shape)s; CSV is one against one, JSON lines take teams")
        raise OptionError(f"ladder {ladder!r}: {words % {'shape': shape}}")
    else:
        matches = Rows(lines, problems, now=clock.now())

    def report_progress(number: int) -> None:
        if on_progress is not None:
            on_progress(number, lines.size)

    with staging_table():
        stage(matches.staged(), on_progress=report_progress)
        problems.raise_if_any()
        new_game = create.game if create is not None else ""
        game = there.game if there else Game.objects.filter(slug=new_game).first()
        yield StagedFile(matches, lines.digest, there, game)
