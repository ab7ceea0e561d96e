"""Disputed matches: which wait for an operator, what their players tell the one who decides, and who has too many."""

from ratings.disputing.limiting import Disputant, disputants, kept_out
from ratings.disputing.overruling import note_overruled
from ratings.disputing.stating import (
    WrongStatementError,
    call_operator,
    state,
    statement_of,
)
from ratings.disputing.waiting import count_disputes, disputed_matches

__all__ = [
    "Disputant",
    "WrongStatementError",
    "call_operator",
    "count_disputes",
    "disputants",
    "disputed_matches",
    "kept_out",
    "note_overruled",
    "state",
    "statement_of",
]
