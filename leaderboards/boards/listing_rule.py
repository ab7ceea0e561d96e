"""The rule in force on a board, read from its ladder and its track's parameters."""

import math

from leaderboards.boards.listing import DAY, Rule
from ratings.models import ParameterVersion, RatingTrack
from ratings.systems import System
from ratings.tracks.parameters import current_version, system_of

__all__ = ["bucket_width_of", "rule_by", "rule_of"]


def rule_of(track: RatingTrack) -> Rule:
    """The rule that holds from now on. Reads the track's ladder and its newest parameters."""
    return rule_by(track, current_version(track))


def rule_by(track: RatingTrack, version: ParameterVersion) -> Rule:
    """The rule with these parameters. Reads the track's ladder."""
    return Rule(
        system=system_of(version, track.period_days),
        period=(track.period_days or 1.0) * DAY,
        inactive_after_days=track.ladder.inactive_after_days,
        lists_provisional=track.ladder.lists_provisional,
    )


def bucket_width_of(system: System) -> float:
    """One point where ratings span about 3000 points; for other scales the like, always a power of two."""
    parameters = system.parameters
    scale = float(parameters.get("deviation_start") or parameters.get("class_interval") or 256.0)
    return 2.0 ** round(math.log2(scale / 256.0))
