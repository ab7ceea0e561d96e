"""Disputed matches: those whose players reported different results, and that wait for an operator."""

from django.db.models import QuerySet

from ratings.models import Match, MatchState

__all__ = ["count_disputes", "disputed_matches"]


def disputed_matches() -> QuerySet[Match]:
    """Return the matches that wait for an operator's word, oldest first."""
    return Match.objects.filter(state=MatchState.DISPUTED).order_by("pk")


def count_disputes() -> int:
    """How many wait."""
    return disputed_matches().count()
