"""Files of games, read without a database: CSV of one against one, and JSON lines of teams."""

from collections.abc import Iterable
from itertools import chain

from ratings.evaluation.played_games import Played
from ratings.evaluation.reading.cells import FileError
from ratings.evaluation.reading.json_lines import read_json_lines
from ratings.evaluation.reading.table import read_table
from ratings.systems.parameters import gettext_noop as _

__all__ = ["FileError", "read_games"]


def read_games(lines: Iterable[str]) -> Played:
    """Read the games of a file: JSON lines where the first sign is a brace, else CSV.

    Raises FileError with the line and what would be right.
    """
    coming = iter(lines)
    head = []
    for line in coming:
        head.append(line)
        if line.strip():
            break
    else:
        raise FileError(1, _("the file is empty; must hold games"))
    text = head[-1].lstrip("\ufeff \t")
    whole = chain(head, coming)
    return read_json_lines(whole) if text.startswith("{") else read_table(whole)
