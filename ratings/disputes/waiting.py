"""Disputed matches: those whose players reported different results, and that wait for an operator."""

from django.db.models import F, Min, QuerySet

from ratings.models import Match, MatchState

__all__ = ["count_disputes", "disputed_matches"]


def disputed_matches() -> QuerySet[Match]:
    """Return the matches that wait for an operator's word: where one was called first, then the oldest.

    `called_at` is when the first player called, or None.
    """
    waiting = Match.objects.filter(state=MatchState.DISPUTED)
    called = waiting.annotate(called_at=Min("statements__called_at"))
    return called.order_by(F("called_at").asc(nulls_last=True), "pk")


def count_disputes() -> int:
    """How many wait."""
    return Match.objects.filter(state=MatchState.DISPUTED).count()
