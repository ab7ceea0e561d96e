"""What the commands about frags have in common: files, and tables of rows."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from django.core.management.base import CommandError, OutputWrapper
from django.utils.translation import gettext as _
from rich.table import Table
from rich.text import Text

from ratings.importing.frag_log import FragLogError
from ratings.management.judgement_tables import console_on

__all__ = ["frag_file", "print_rows"]


@contextmanager
def frag_file(name: str) -> Iterator[IO[str]]:
    """Open a file of text, or standard input for `-`; CommandError says what is wrong with it."""
    try:
        if name == "-":
            yield sys.stdin
        else:
            with Path(name).open(encoding="utf-8-sig", newline="") as source:
                yield source
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror or type(error).__name__}") from error
    except UnicodeDecodeError as error:
        raise CommandError(_("%s: must be UTF-8 text") % name) from error
    except FragLogError as error:
        raise CommandError(f"{name}: {error}") from error


def print_rows(
    out: OutputWrapper, titles: Sequence[str], rows: Sequence[Sequence[str]], *, names: int
) -> None:
    """Print a table; the columns from 1 to `names` hold text, the others figures."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    for column, title in enumerate(titles):
        table.add_column(title, justify="left" if 1 <= column <= names else "right")
    for row in rows:
        # A name in a file may hold signs that a terminal would obey.
        visible = (
            "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in cell)
            for cell in row
        )
        table.add_row(*map(Text, visible))
    console_on(out).print(table)
