"""The rule in force on a board, read from its ladder and its track's parameters."""

import hashlib
import json

from leaderboards.listing import DAY, Rule
from ratings.models import RatingTrack
from ratings.tuning import current_version, system_of

__all__ = ["digest_of", "rule_of"]


def rule_of(track: RatingTrack) -> Rule:
    """The rule that holds from now on. Reads the track's ladder and its newest parameters."""
    return Rule(
        system=system_of(current_version(track), track.period_days),
        period=(track.period_days or 1.0) * DAY,
        inactive_after_days=track.ladder.inactive_after_days,
        lists_provisional=track.ladder.lists_provisional,
    )


def digest_of(rule: Rule) -> str:
    """A short text that differs when the rule does: standings chosen by another one are chosen anew."""
    whole = {
        "system": rule.system.name,
        "parameters": dict(rule.system.parameters),
        "period": rule.period,
        "inactive_after_days": rule.inactive_after_days,
        "lists_provisional": rule.lists_provisional,
    }
    text = json.dumps(whole, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()
