"""Who is listed, and until when: a pure rule over arrays, the same for every system.

A standing is listed while its rating is established (or the ladder lists provisional players too) and its player
has played lately. Time alone can end both: the player rests, or the deviation grows past the threshold.
"""

from dataclasses import dataclass

import numpy as np

from leaderboards.models import HiddenAs
from ratings.systems import Ratings, Status, System
from ratings.systems.arrays import Bools, Floats, Statuses

__all__ = ["Judgement", "Rule", "age_to", "judge"]

DAY = 86_400.0
_YEAR_9999 = 253_370_764_800.0  # moments beyond cannot be stored: as good as never


@dataclass(frozen=True, slots=True)
class Rule:
    """What decides. `period` is the length of a rating period in seconds."""

    system: System
    period: float
    inactive_after_days: float
    lists_provisional: bool

    @property
    def threshold(self) -> float:
        """The deviation above which a rating is provisional; infinite for systems without one."""
        return float(self.system.parameters.get("provisional_deviation", np.inf))


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """For each rating: listed now, until when (seconds since 1970; infinite: for ever), and what hides it."""

    listed: Bools
    until: Floats
    hidden_as: Statuses


def judge(
    rule: Rule, ratings: Ratings, *, as_of: Floats, last_played: Floats, now: float
) -> Judgement:
    """Apply the rule. Times are seconds since 1970; `as_of` is when the deviations were as given."""
    rests = last_played + rule.inactive_after_days * DAY
    vague = np.full(len(ratings), np.inf)
    if not rule.lists_provisional:
        vague = _vague_from(rule, ratings, as_of)
    until = np.minimum(rests, vague)
    until[until > _YEAR_9999] = np.inf
    hidden_as = np.where(vague < rests, HiddenAs.PROVISIONAL, HiddenAs.INACTIVE).astype(np.int8)
    return Judgement(listed=until > now, until=until, hidden_as=hidden_as)


def age_to(rule: Rule, ratings: Ratings, *, as_of: Floats, now: float) -> tuple[Ratings, Statuses]:
    """The ratings with deviations as of `now`, and the status that follows."""
    aged = rule.system.age(ratings, np.maximum(now - as_of, 0.0) / rule.period)
    return aged, rule.system.status(aged)


def _vague_from(rule: Rule, ratings: Ratings, as_of: Floats) -> Floats:
    """From when each rating is provisional: always (-inf) before it is established."""
    vague = np.full(len(ratings), np.inf)
    if ratings.deviation is not None and rule.threshold < np.inf:
        idle = rule.system.periods_until(ratings.deviation, rule.threshold, ratings.volatility)
        vague = as_of + rule.period * idle
    vague[rule.system.status(ratings) != Status.ESTABLISHED] = -np.inf
    return vague
