"""What tickets can demand of each other, one file a condition."""

from matchmaking.pairing.conditions.building import build
from matchmaking.pairing.conditions.rating_gap import RatingGap

__all__ = ["RatingGap", "build"]
