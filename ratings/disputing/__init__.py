"""Disputed matches: which wait for an operator, and what their players tell the one who decides."""

from ratings.disputing.stating import (
    WrongStatementError,
    call_operator,
    state,
    statement_of,
)
from ratings.disputing.waiting import count_disputes, disputed_matches

__all__ = [
    "WrongStatementError",
    "call_operator",
    "count_disputes",
    "disputed_matches",
    "state",
    "statement_of",
]
