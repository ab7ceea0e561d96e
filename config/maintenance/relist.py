"""Players who are off a leaderboard although their time is not over, as a clock that ran ahead leaves them."""

from datetime import timedelta

from django.db.models import (
    Count,
    DateTimeField,
    DurationField,
    Exists,
    ExpressionWrapper,
    F,
    OuterRef,
    Value,
)

from foundation.timekeeping import closing_time
from leaderboards.boards.refresh import relist
from leaderboards.models import Board, HiddenAs, Standing

__all__ = ["count_hidden_early", "relist_early"]


def count_hidden_early() -> dict[int, int]:
    """How many players of each track are hidden as inactive though they have played lately enough."""
    days = F("track__ladder__inactive_after_days") * Value(
        timedelta(days=1), output_field=DurationField()
    )
    ends = ExpressionWrapper(
        F("rating__last_played_at") + ExpressionWrapper(days, output_field=DurationField()),
        output_field=DateTimeField(),
    )
    public = Board.objects.public().filter(pk=OuterRef("track"))
    hidden = Standing.objects.filter(Exists(public), listed=False, hidden_as=HiddenAs.INACTIVE)
    early = hidden.annotate(ends=ends).filter(ends__gt=closing_time()).order_by()
    return {
        row["track"]: row["number"] for row in early.values("track").annotate(number=Count("pk"))
    }


def relist_early() -> int:
    """Decide anew who is listed on these tracks; returns how many players were hidden too early."""
    found = count_hidden_early()
    for track_id in found:
        relist(track_id)
    return sum(found.values())
