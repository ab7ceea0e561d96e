"""Sanctions on players: imposed and lifted by operators, and what is in force now."""

from ratings.sanctions.impose import (
    WrongSanctionError,
    carry_over,
    check_impose,
    check_lift,
    end_carried,
    follow_with,
    impose,
    lift,
)
from ratings.sanctions.in_force import (
    HIDDEN_NOW,
    SUSPENDED_NOW,
    TOLD_NOW,
    SuspendedError,
    check_may_write,
    in_force,
    keep_from,
    suspended,
    suspended_by_name,
    told_to,
    without_covered,
)

__all__ = [
    "HIDDEN_NOW",
    "SUSPENDED_NOW",
    "TOLD_NOW",
    "SuspendedError",
    "WrongSanctionError",
    "carry_over",
    "check_impose",
    "check_lift",
    "check_may_write",
    "end_carried",
    "follow_with",
    "impose",
    "in_force",
    "keep_from",
    "lift",
    "suspended",
    "suspended_by_name",
    "told_to",
    "without_covered",
]
