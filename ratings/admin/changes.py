"""Ledger rows as other pages of the admin show them."""

from django.db.models import F, QuerySet

from ratings.models import RatingChange

__all__ = ["with_points"]


def with_points(changes: QuerySet[RatingChange]) -> QuerySet[RatingChange]:
    """Load what names the rows, and add `points`: what each won or lost."""
    return changes.select_related("track__ladder", "player").annotate(
        points=F("value_after") - F("value_before")
    )
