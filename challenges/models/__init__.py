"""Challenges: who asks whom for a match, and what became of it."""

from challenges.models.challenges import LIVE, Challenge, ChallengeState, Side

__all__ = ["LIVE", "Challenge", "ChallengeState", "Side"]
