"""Who is listed, and until when: a rule over arrays, the same for every system.

A standing is listed while its rating is established (or the ladder lists provisional players too) and its player
has played lately. Time alone can end both: the player rests, or the deviation grows past the threshold.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from leaderboards.models import HiddenAs
from ratings.models import ParameterVersion, RatingTrack
from ratings.systems import Ratings, Status, System
from ratings.systems.arrays import Bools, Floats, Statuses
from ratings.tracks.board_order import deviations_of
from ratings.tracks.parameters import current_version, system_of

__all__ = [
    "ListingRule",
    "age_to",
    "bucket_width_of",
    "judge",
    "order_values",
    "rule_by",
    "rule_of",
    "to_arrays",
]

DAY = 86_400.0
_YEAR_9999 = 253_370_764_800.0  # moments beyond cannot be stored: as good as never


@dataclass(frozen=True, slots=True)
class ListingRule:
    """What decides. `period` is the length of a rating period in seconds, `deviations` how
    many of them below its rating a player stands."""

    system: System
    period: float
    inactive_after_days: float
    lists_provisional: bool
    deviations: float


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """For each rating: listed now, until when (seconds since 1970; infinite: for ever), and what hides it."""

    listed: Bools
    until: Floats
    hidden_as: Statuses


def rule_of(track: RatingTrack) -> ListingRule:
    """The rule that holds from now on. Reads the track's ladder and its newest parameters."""
    return rule_by(track, current_version(track))


def rule_by(track: RatingTrack, version: ParameterVersion) -> ListingRule:
    """The rule with these parameters. Reads the track's ladder."""
    return ListingRule(
        system=system_of(version, track.period_days),
        period=(track.period_days or 1.0) * DAY,
        inactive_after_days=track.ladder.inactive_after_days,
        lists_provisional=track.ladder.lists_provisional,
        deviations=deviations_of(track),
    )


def bucket_width_of(system: System) -> float:
    """One point where ratings span about 3000 points; for other scales the like, always a power of two."""
    return 2.0 ** round(math.log2(system.scale / 256.0))


def judge(
    rule: ListingRule, ratings: Ratings, *, as_of: Floats, last_played: Floats, now: float
) -> Judgement:
    """Apply the rule. Times are seconds since 1970; `as_of` is when the deviations were as given."""
    rests = last_played + rule.inactive_after_days * DAY
    vague = np.full(len(ratings), np.inf)  # from when each is provisional
    if not rule.lists_provisional:
        threshold = rule.system.provisional_above
        if ratings.deviation is not None and threshold < np.inf:
            idle = rule.system.periods_until(ratings.deviation, threshold, ratings.volatility)
            vague = as_of + rule.period * idle
        vague[rule.system.status(ratings) != Status.ESTABLISHED] = -np.inf
    until = np.minimum(rests, vague)
    until[until > _YEAR_9999] = np.inf
    hidden_as = np.where(vague < rests, HiddenAs.PROVISIONAL, HiddenAs.INACTIVE).astype(np.int8)
    return Judgement(listed=until > now, until=until, hidden_as=hidden_as)


def order_values(rule: ListingRule, ratings: Ratings) -> Floats:
    """What the board is ordered by, best first: the ratings, or conservative ones, with deviations as last rated.

    Between matches and periods nobody changes places: the deviation that grows with time hides a player, see `judge`.
    """
    if not rule.deviations or ratings.deviation is None:
        return ratings.value
    return ratings.value - rule.deviations * ratings.deviation


def age_to(
    rule: ListingRule, ratings: Ratings, *, as_of: Floats, now: float
) -> tuple[Ratings, Statuses]:
    """The ratings with deviations as of `now`, and the status that follows."""
    aged = rule.system.age(ratings, np.maximum(now - as_of, 0.0) / rule.period)
    return aged, rule.system.status(aged)


def to_arrays(
    value: Sequence[Any],
    deviation: Sequence[Any],
    volatility: Sequence[Any],
    games: Sequence[Any],
    counted: Sequence[Any],
) -> Ratings:
    """Columns of stored ratings as arrays. One that holds None is of a system that has no such thing."""
    return Ratings(
        value=np.array(value, dtype=np.float64),
        deviation=None if None in deviation else np.array(deviation, dtype=np.float64),
        volatility=None if None in volatility else np.array(volatility, dtype=np.float64),
        games=np.array(games, dtype=np.int64),
        counted=np.array(counted, dtype=np.int64),
    )
