"""The conditions that a queue's settings ask for."""

from matchmaking.pairing.condition import Condition
from matchmaking.pairing.conditions.rating_gap import RatingGap
from matchmaking.pairing.plan import Plan

__all__ = ["build"]


def build(plan: Plan) -> tuple[Condition, ...]:
    """Conditions of the rating first, the others in the order of the settings."""
    return (RatingGap.of(plan),)
