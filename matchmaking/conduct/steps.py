"""How points fade, and what follows from how many: plain mathematics of one player."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

__all__ = ["Step", "Steps", "cools_for", "faded", "step_of"]

_DAY = 86_400.0
_NEVER = 1000.0  # half-lives after which nothing is left of any points


class Step(StrEnum):
    """What follows from the points of a player, the mildest first."""

    NONE = "none"
    NOTE = "note"
    COOLING_OFF = "cooling_off"
    AMONG_LIKE = "among_like"


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps:
    """From how many points on what follows; see `ConductRules`, whose fields these are."""

    half_life_days: float
    note_from: float
    cool_from: float
    cool_after: int
    cool_minutes: float
    cool_at_most_minutes: float
    like_from: float


def faded(points: float, since: datetime, now: datetime, half_life_days: float) -> float:
    """What is left of points by now. Such as come later count whole."""
    halves = max((now - since).total_seconds(), 0.0) / _DAY / half_life_days
    return float(points * 0.5 ** min(halves, _NEVER))


def step_of(steps: Steps, score: float, *, is_cooling: bool) -> Step:
    """The step that a player stands at: cooling off while it lasts, else by the points."""
    if is_cooling:
        return Step.COOLING_OFF
    if score >= steps.like_from:
        return Step.AMONG_LIKE
    return Step.NOTE if score >= steps.note_from else Step.NONE


def cools_for(steps: Steps, score: float, offences: int) -> timedelta | None:
    """For how long somebody cools off whose points an offence has just brought to `score`; None: not at all.

    offences  within a half-life, this one included
    """
    if score < steps.cool_from or offences < steps.cool_after or steps.cool_minutes <= 0:
        return None
    minutes = min(steps.cool_minutes * score / steps.cool_from, steps.cool_at_most_minutes)
    return timedelta(minutes=minutes)
