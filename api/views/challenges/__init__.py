"""Challenges: making them, answering them, and coming together."""

from api.views.challenges.answers import (
    ChallengeAcceptView,
    ChallengeCancelView,
    ChallengeDeclineView,
    ChallengeHereView,
    ChallengeWithdrawView,
)
from api.views.challenges.challenges import (
    ChallengesView,
    ChallengeTakeView,
    ChallengeView,
    RematchView,
)

__all__ = [
    "ChallengeAcceptView",
    "ChallengeCancelView",
    "ChallengeDeclineView",
    "ChallengeHereView",
    "ChallengeTakeView",
    "ChallengeView",
    "ChallengeWithdrawView",
    "ChallengesView",
    "RematchView",
]
