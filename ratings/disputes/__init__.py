"""Disputed matches: which wait for an operator, what their players tell the one who decides, and who has too many."""

from ratings.disputes.decisions import count_disputes, decided_at, disputed_matches, note_overruled
from ratings.disputes.limits import Disputant, disputants, kept_out
from ratings.disputes.statements import WrongStatementError, call_operator, state, statement_of

__all__ = [
    "Disputant",
    "WrongStatementError",
    "call_operator",
    "count_disputes",
    "decided_at",
    "disputants",
    "disputed_matches",
    "kept_out",
    "note_overruled",
    "state",
    "statement_of",
]
