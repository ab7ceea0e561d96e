"""What the desk keeps: reports, cases and what was decided of them, appeals, changes of names."""

from moderation.models.appeals import Appeal
from moderation.models.cases import Act, Case, Decision, Queue
from moderation.models.names import NameChange
from moderation.models.reports import NEEDS_MATCH, PlayerReport, ReportKind

__all__ = [
    "NEEDS_MATCH",
    "Act",
    "Appeal",
    "Case",
    "Decision",
    "NameChange",
    "PlayerReport",
    "Queue",
    "ReportKind",
]
