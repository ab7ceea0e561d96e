"""When time takes points on a ladder, or gives them: on which dates, and what is next on a track."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from foundation.timekeeping import closing_time
from ratings import systems
from ratings.models import Ladder, ParameterVersion, TrackState

__all__ = ["first_date", "has_drift", "plan_drift"]

_DAY = timedelta(days=1)


def has_drift(system: str, parameters: Mapping[str, Any]) -> bool:
    """Whether time moves ratings by these parameters of a version."""
    declared = systems.declaration_of(system)
    names = [name for name in (declared.given, declared.taken) if name]
    return any(parameters.get(name, 0.0) for name in names)


def first_date(now: datetime, days: float) -> datetime:
    """The first date of those that begin now, so many days apart: at midnight UTC, unless they come more often."""
    length = timedelta(days=days)
    if length < _DAY:
        return now + length
    return now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0) + length


def plan_drift(ladder_id: int, *, anew: bool = False) -> None:
    """Let the ladder have dates, or none, as its tracks without periods want it by their newest parameters.

    `anew`: count from now. Call under the ladder's lock, once what is due has its place in the sequence.
    """
    ladder = Ladder.objects.only("drift_days", "drift_next_at").get(pk=ladder_id)
    if any(has_drift(system, parameters) for system, parameters in _newest(ladder_id)):
        planned = ladder.drift_next_at
        if planned is None or anew:
            planned = first_date(closing_time(), ladder.drift_days)
    else:
        planned = None
    if planned != ladder.drift_next_at:
        Ladder.objects.filter(pk=ladder_id).update(drift_next_at=planned)


def _newest(ladder_id: int) -> Sequence[tuple[str, Mapping[str, Any]]]:
    """System and newest parameters of each track without periods that is rated."""
    versions = ParameterVersion.objects.filter(
        track__ladder=ladder_id, track__period_days__isnull=True
    ).exclude(track__state=TrackState.RETIRED)
    newest = versions.order_by("track_id", "-number").distinct("track_id")
    return list(newest.values_list("track__system", "parameters"))
