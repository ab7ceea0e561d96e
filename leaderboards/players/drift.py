"""What time by itself does to a rating: what is due next, and what it has come to."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from django.db.models import Count, F, Sum

from foundation.timekeeping import closing_time
from leaderboards.players.profile import LadderRating, RatingDrift
from ratings.models import DRIFT_KINDS, RatingChange
from ratings.tracks.drift import has_drift
from ratings.tracks.periods import calendar_of

__all__ = ["latest_drifts", "with_drift"]

LATEST = 5


def with_drift(ratings: Sequence[LadderRating]) -> list[LadderRating]:
    """The same ratings, those that drift, or did, with what there is to say of it. One query, none where none does."""
    drifting = [
        one
        for one in ratings
        if any(
            has_drift(one.track.system, version.parameters) for version in one.forecaster.versions
        )
    ]
    if not drifting:
        return list(ratings)
    sums: dict[int, tuple[float, int]] = defaultdict(lambda: (0.0, 0))
    changes = RatingChange.objects.filter(
        kind__in=DRIFT_KINDS,
        track__in=[one.track.pk for one in drifting],
        player=drifting[0].rating.player_id,
    )
    grouped = changes.order_by().values_list("track_id")
    for track, total, dates in grouped.annotate(
        total=Sum(F("value_after") - F("value_before")), dates=Count("pk")
    ):
        sums[track] = (total, dates)
    return [
        replace(one, drift=_drift_of(one, *sums[one.track.pk])) if one in drifting else one
        for one in ratings
    ]


def _drift_of(shown: LadderRating, total: float, dates: int) -> RatingDrift:
    track, due = shown.track, shown.forecaster.newest.drift
    calendar, now = calendar_of(track), closing_time()
    if track.period_days is None:
        every, next_at = shown.ladder.drift_days, shown.ladder.drift_next_at
    else:
        every = track.period_days
        next_at = calendar.ends_at(calendar.number_at(now)) if calendar else None
    return RatingDrift(due.points, due.floor, every, next_at if due else None, total, dates)


def latest_drifts(shown: LadderRating) -> list[RatingChange]:
    """The newest changes by time of a rating, newest first: one query, none where it never drifted."""
    if shown.drift is None or not shown.drift.dates:
        return []
    changes = RatingChange.objects.filter(
        kind__in=DRIFT_KINDS, track=shown.track.pk, player=shown.rating.player_id
    )
    return list(changes.order_by("-id")[:LATEST])
